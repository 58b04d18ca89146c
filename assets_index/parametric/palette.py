"""Materials that go together. Colours are written as sRGB hex, as a designer would, and stored linear."""

from __future__ import annotations

from ...executor.model.piece import Material, Style, Substance, Vec3


def linear(hex_code: str) -> Vec3:
    """Linear RGB of an sRGB hex code such as ``C8A678`` (IEC 61966-2-1)."""

    def channel(start: int) -> float:
        value = int(hex_code[start : start + 2], 16) / 255.0
        return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

    return (round(channel(0), 5), round(channel(2), 5), round(channel(4), 5))


def material(
    name: str,
    substance: Substance,
    hex_code: str,
    roughness: float = 0.5,
    *,
    metallic: float = 0.0,
    transmission: float = 0.0,
    sheen: float = 0.0,
    coat: float = 0.0,
    glow: float = 0.0,
    glow_hex: str = "FFFFFF",
) -> Material:
    """A material from an sRGB hex code; ``glow`` is the emission strength."""
    return Material(
        name,
        substance,
        (*linear(hex_code), 1.0),
        metallic,
        roughness,
        transmission,
        sheen,
        coat,
        linear(glow_hex),
        glow,
    )


def wood(name: str, hex_code: str, roughness: float = 0.42) -> Material:
    """Oiled or varnished wood."""
    return material(name, "wood", hex_code, roughness, coat=0.1)


def metal(name: str, hex_code: str, roughness: float = 0.3) -> Material:
    """Bare metal."""
    return material(name, "metal", hex_code, roughness, metallic=1.0)


def lacquer(name: str, hex_code: str, roughness: float = 0.35) -> Material:
    """Paint on wood or metal."""
    return material(name, "paint", hex_code, roughness, coat=0.15)


def fabric(name: str, hex_code: str) -> Material:
    """Woven cloth."""
    return material(name, "fabric", hex_code, 0.9, sheen=0.3)


OAK = wood("Oak", "C49A6C")
ASH = wood("Ash", "D8BE97")
WALNUT = wood("Walnut", "7A5238")
DARK_WALNUT = wood("Dark Walnut", "573925")
CHERRY = wood("Cherry", "8F5233")
MAHOGANY = wood("Mahogany", "6A3223", 0.35)
RECLAIMED_OAK = wood("Reclaimed Oak", "A07850", 0.6)
SMOKED_OAK = wood("Smoked Oak", "6E533C", 0.55)

WHITE = lacquer("White Lacquer", "EFEBE4")
CREAM_PAINT = lacquer("Cream Paint", "E6DAC3", 0.5)
SAGE_PAINT = lacquer("Sage Paint", "9DAB94", 0.5)
DUSTY_BLUE_PAINT = lacquer("Dusty Blue Paint", "7F95A4", 0.5)
CLAY_PAINT = lacquer("Clay Paint", "B9785A", 0.5)

BLACK_STEEL = material("Black Steel", "metal", "232426", 0.45, metallic=0.6)
RAW_STEEL = metal("Raw Steel", "8C8E90", 0.38)
CHROME = metal("Chrome", "D5D7DA", 0.12)
BRASS = metal("Brass", "C39A55", 0.28)
AGED_BRASS = metal("Aged Brass", "8F6B3C", 0.4)
COPPER = metal("Copper", "B87350", 0.3)
GREEN_STEEL = lacquer("Grey Green Steel", "5E6E66", 0.45)
GREY_STEEL = lacquer("Blue Grey Steel", "5C6870", 0.45)

LINEN = fabric("Linen", "E4DACA")
OAT = fabric("Oat", "CDBDA4")
WHITE_COTTON = fabric("White Cotton", "F1EEE8")
SAGE = fabric("Sage", "9AA88F")
DUSTY_ROSE = fabric("Dusty Rose", "C99C90")
SLATE_BLUE = fabric("Slate Blue", "6F8698")
CHARCOAL = fabric("Charcoal", "4A4B4F")
MUSTARD = fabric("Mustard", "CB9A3F")
TERRACOTTA_CLOTH = fabric("Terracotta", "B9694A")
FOREST = fabric("Forest Green", "41584A")
NAVY = fabric("Navy", "32425A")
BURGUNDY = fabric("Burgundy", "6E2F35")
GREY_CLOTH = fabric("Warm Grey", "9B958C")

COGNAC_LEATHER = material("Cognac Leather", "leather", "9A5A32", 0.45, coat=0.15)
BLACK_LEATHER = material("Black Leather", "leather", "2B2826", 0.45, coat=0.15)
BROWN_LEATHER = material("Brown Leather", "leather", "5A3925", 0.45, coat=0.15)

WHITE_CERAMIC = material("White Ceramic", "ceramic", "ECE8E0", 0.25, coat=0.4)
SAND_CERAMIC = material("Sand Ceramic", "ceramic", "CDB99B", 0.45)
SAGE_CERAMIC = material("Sage Ceramic", "ceramic", "8FA18D", 0.3, coat=0.4)
BLUE_CERAMIC = material("Blue Ceramic", "ceramic", "4C6F8C", 0.22, coat=0.5)
TERRACOTTA = material("Terracotta", "ceramic", "B8694A", 0.75)
CONCRETE = material("Concrete", "stone", "A7A39C", 0.85)
GLASS = material("Glass", "glass", "F4F8F8", 0.03, transmission=1.0)
SOIL = material("Soil", "soil", "3B2A20", 0.95)
BLACK_PLASTIC = material("Black Plastic", "plastic", "1B1C1E", 0.4)
IVORY_PLASTIC = material("Ivory Plastic", "plastic", "EDE6D6", 0.4)
BULB = material("Lit Bulb", "glass", "FFF1DC", 0.3, glow=6.0, glow_hex="FFD9A0")

WOODS: dict[Style, tuple[Material, ...]] = {
    "modern": (OAK, ASH, WALNUT),
    "classic": (DARK_WALNUT, CHERRY, MAHOGANY),
    "industrial": (RECLAIMED_OAK, SMOKED_OAK),
}
"""Woods to pick from, by style."""

PAINTS: dict[Style, tuple[Material, ...]] = {
    "modern": (WHITE, SAGE_PAINT, DUSTY_BLUE_PAINT, CLAY_PAINT),
    "classic": (CREAM_PAINT, SAGE_PAINT, WHITE),
    "industrial": (GREEN_STEEL, GREY_STEEL),
}
"""Paints to pick from, by style."""

METALS: dict[Style, tuple[Material, ...]] = {
    "modern": (BLACK_STEEL, BRASS),
    "classic": (BRASS, AGED_BRASS),
    "industrial": (BLACK_STEEL, RAW_STEEL),
}
"""Metals of handles, frames and fittings, by style."""

FABRICS: dict[Style, tuple[Material, ...]] = {
    "modern": (SAGE, OAT, DUSTY_ROSE, SLATE_BLUE, MUSTARD, TERRACOTTA_CLOTH, GREY_CLOTH),
    "classic": (FOREST, NAVY, BURGUNDY, OAT, SLATE_BLUE),
    "industrial": (CHARCOAL, GREY_CLOTH, SLATE_BLUE, TERRACOTTA_CLOTH),
}
"""Upholstery and blankets, by style."""

LEATHERS = (COGNAC_LEATHER, BLACK_LEATHER, BROWN_LEATHER)


def lit(shade: Material, strength: float = 0.9) -> Material:
    """A lamp shade's material as it looks with the bulb on: it glows warm through the cloth."""
    return Material(
        f"Lit {shade.name}",
        shade.substance,
        shade.base_color,
        shade.metallic,
        shade.roughness,
        shade.transmission,
        shade.sheen,
        shade.coat,
        linear("FFD7A1"),
        strength,
    )


def materials() -> list[Material]:
    """All materials, by name; of namesakes the first."""
    found = [value for value in globals().values() if isinstance(value, Material)]
    return list({m.name: m for m in reversed(found)}.values())[::-1]
