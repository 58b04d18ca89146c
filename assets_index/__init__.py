"""What can be placed: the asset catalogue and the furniture that is built by rule."""
