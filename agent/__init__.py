"""The mind: from a request to requirements, and from requirements to a changed and verified scene."""
