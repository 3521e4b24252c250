"""Draws a card with Pillow: the colours, the dice and the font are those of the site.

Import this module only where a card is drawn: most processes never draw one, and need no Pillow.
"""

import hashlib
import io
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from game.pages.cards.card import Card, CardDie, CardPlayer, is_latin

WIDTH, HEIGHT = 1200, 630
EDGE = 56
DOT = 26
FELT, FELT_LINE, ON_FELT, ON_FELT_2 = "#1F4C43", "#3F7166", "#F3EDDF", "#CFDDD4"
FELT_DEEP, GOLD = "#173B34", "#EFAE45"
PAPER, INK, INK_2, THROW = "#F4EEE1", "#24211B", "#5E5646", "#B23C14"
SEATS = ("#B23C14", "#2B5C8A", "#7A4E9B", "#1D6B4F", "#8A5A00", "#A02C5A", "#3E5C1E", "#4A4A4A")

# The dice of the site's sprite, on a square of 60 units: places of the pips, the radius of a pip, and that of the ace.
PIPS = {
    1: ((30, 30),),
    2: ((17, 17), (43, 43)),
    3: ((16, 16), (30, 30), (44, 44)),
    4: ((17, 17), (43, 17), (17, 43), (43, 43)),
    5: ((16, 16), (44, 16), (30, 30), (16, 44), (44, 44)),
    6: ((18, 14.5), (42, 14.5), (18, 30), (42, 30), (18, 45.5), (42, 45.5)),
}
PIP, ACE = 5.6, 9.5
# Colours of the body, the lower edge, the pips and the ace of a die, by how it lies.
LOOKS = {
    "": ("#FFFCF4", "#EFE5CF", "#24211B", "#C22F1B"),
    "kept": ("#FFFCF4", "#EFE5CF", "#24211B", "#C22F1B"),
    "old": ("#93A69D", "#82968C", "#2C423B", "#2C423B"),
}
FINE = 4  # shapes are drawn this many times as large and scaled down, since Pillow does not antialias
COLOURS = 128

FONTS = Path(__file__).parent / "fonts"
# The same card may look different when another release of this file draws it.
RELEASE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]


def name_picture(card: Card) -> str:
    """Return the name of a card's picture: the same for equal cards, and a new one when this file has changed."""
    return hashlib.sha256(f"{RELEASE} {card}".encode()).hexdigest()[:32]


def draw_card(card: Card) -> bytes:
    """Return the picture as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = Pen(image)
    if card.scores:
        _draw_ruleset(pen, card)
    elif card.names:
        _draw_site(pen, card)
    else:
        _draw_table(pen, card)
    out = io.BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


class Pen:
    """Draws on one picture. Coordinates are in its pixels, from the top left."""

    def __init__(self, image: Image.Image) -> None:
        self.image, self.draw = image, ImageDraw.Draw(image)

    def fill(self, box: tuple[int, int, int, int], colour: str) -> None:
        """Fill a rectangle: left, top, right, bottom."""
        self.draw.rectangle(box, fill=colour)

    def write(
        self, text: str, x: int, y: int, size: int, colour: str, *, width: int = WIDTH, to_right: bool = False
    ) -> int:
        """Write a text on the baseline `y`, shrunk or cut if it is wider than `width`; return its width in pixels.

        `x`: its left edge, or with `to_right` its right edge.
        """
        font, text = _fit_text(text.replace("\u202f", "\u00a0"), size, width)
        self.draw.text((x, y), text, fill=colour, font=font, anchor="rs" if to_right else "ls")
        return round(font.getlength(text))

    def put_die(self, die: CardDie, x: int, y: int, size: int) -> None:
        """Draw a die, or an empty place."""
        drawn = _draw_die(die.face, die.look, size)
        self.image.paste(drawn, (x, y), drawn)

    def put_dot(self, colour: str, x: int, y: int) -> None:
        """Draw a dot in a seat's colour."""
        drawn = _draw_dot(colour)
        self.image.paste(drawn, (x, y), drawn)


def _draw_table(pen: Pen, card: Card) -> None:
    pen.fill((0, 0, WIDTH, 376), FELT)
    brand = _draw_brand(pen)
    pen.write(card.heading, WIDTH - EDGE, 92, 40, ON_FELT_2, width=WIDTH - 3 * EDGE - brand, to_right=True)
    size, gap = (118, 18) if card.points else (132, 24)
    broad = len(card.dice) * (size + gap) - gap
    left = EDGE if card.points else (WIDTH - broad) // 2
    _draw_dice(pen, card.dice, left, 160, size, gap)
    if card.points:
        pen.write(card.points, WIDTH - EDGE, 248, 88, GOLD, width=WIDTH - 3 * EDGE - broad, to_right=True)
    columns = 1 if len(card.players) <= 3 else 2
    width = (WIDTH - 2 * EDGE - (columns - 1) * EDGE) // columns
    rows = -(-len(card.players) // columns)
    height = 216 // max(rows, 2)
    for place, player in enumerate(card.players):
        column, row = divmod(place, max(rows, 1))
        x, y = EDGE + column * (width + EDGE), 394 + row * height
        _draw_player(pen, player, x, y, width, height, small=columns > 1)
    if card.more:
        pen.write(f"+{card.more}", WIDTH - EDGE, 618, 24, INK_2, to_right=True)


def _draw_player(pen: Pen, player: CardPlayer, x: int, y: int, width: int, height: int, *, small: bool) -> None:
    line = y + height // 2 + 16
    if player.mark:
        pen.fill((x - 24, y + 8, x - 17, y + height - 8), THROW if player.mark == "due" else GOLD)
    pen.put_dot(SEATS[player.colour - 1], x, line - 28)
    colour = THROW if player.mark == "won" else INK
    score = pen.write(player.score, x + width, line, 46 if small else 60, colour, to_right=True)
    pen.write(player.name, x + 44, line, 38 if small else 48, INK, width=width - score - 76)


def _draw_ruleset(pen: Pen, card: Card) -> None:
    pen.fill((0, 0, WIDTH, 222), FELT)
    _draw_brand(pen)
    pen.write(card.heading, EDGE, 186, 68, ON_FELT, width=WIDTH - 2 * EDGE)
    columns = 1 if len(card.scores) <= 4 else 2
    width = (WIDTH - 2 * EDGE - (columns - 1) * EDGE) // columns
    rows = -(-len(card.scores) // columns)
    height = 368 // max(rows, 4)
    for place, (dice, points) in enumerate(card.scores):
        column, row = divmod(place, rows)
        x, y = EDGE + column * (width + EDGE), 242 + row * height
        size = 44
        for n, face in enumerate(dice):
            pen.put_die(CardDie(face), x + n * (size + 6), y + (height - size) // 2, size)
        room = width - len(dice) * (size + 6) - 20
        pen.write(points, x + width, y + height // 2 + 14, 42, INK, width=room, to_right=True)


def _draw_site(pen: Pen, card: Card) -> None:
    pen.fill((0, 0, WIDTH, 506), FELT)
    font = _load_font("fraunces-600.ttf", 168)
    pen.draw.text((WIDTH // 2, 220), "10,000", fill=ON_FELT, font=font, anchor="ms")
    _draw_dice(pen, card.dice, (WIDTH - 6 * 132 - 5 * 24) // 2, 294, 132, 24)
    font, text = _fit_text(card.names, 40, WIDTH - 2 * EDGE)
    pen.draw.text((WIDTH // 2, 582), text, fill=INK_2, font=font, anchor="ms")


def _draw_brand(pen: Pen) -> int:
    """Draw the site's logo in the corner; return its width in pixels."""
    pen.put_die(CardDie(1), EDGE, 46, 58)
    return 58 + 20 + pen.write("10,000", EDGE + 78, 92, 50, ON_FELT)


def _draw_dice(pen: Pen, dice: tuple[CardDie, ...], x: int, y: int, size: int, gap: int) -> None:
    """Draw a row of dice; kept ones lie lower, as on the tray, above a gold line."""
    for n, die in enumerate(dice):
        left, down = x + n * (size + gap), 26 if die.look else 0
        pen.put_die(die, left, y + down, size)
        if die.look == "kept":
            pen.fill((left + 14, y + down + size + 12, left + size - 15, y + down + size + 17), GOLD)


@lru_cache(maxsize=48)
def _draw_die(face: int, look: str, size: int) -> Image.Image:
    """Return a die of `size` pixels with its shadow, on a transparent background."""
    body, edge, pip, ace = LOOKS[look]
    unit = size * FINE / 60
    drawn = Image.new("RGBA", (size * FINE, (size + 4) * FINE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(drawn)
    side, corner = size * FINE - 1, 14.5 * unit
    if not face:
        draw.rounded_rectangle((0, 0, side, side), corner, fill=FELT_DEEP, outline=FELT_LINE, width=round(1.2 * unit))
    else:
        draw.rounded_rectangle((0, 4 * FINE, side, side + 4 * FINE), corner, fill=(12, 34, 29, 150))
        draw.rounded_rectangle((0, 0, side, side), corner, fill=edge)
        draw.rounded_rectangle((0, 0, side, side - 2.4 * unit), corner, fill=body)
        radius = (ACE if face == 1 else PIP) * unit
        for x, y in PIPS[face]:
            box = (x * unit - radius, y * unit - radius, x * unit + radius, y * unit + radius)
            draw.ellipse(box, fill=ace if face == 1 else pip)
    return drawn.resize((size, size + 4), Image.Resampling.LANCZOS)


@lru_cache(maxsize=16)
def _draw_dot(colour: str) -> Image.Image:
    drawn = Image.new("RGBA", (DOT * FINE, DOT * FINE), (0, 0, 0, 0))
    ImageDraw.Draw(drawn).ellipse((0, 0, DOT * FINE - 1, DOT * FINE - 1), fill=colour)
    return drawn.resize((DOT, DOT), Image.Resampling.LANCZOS)


def _fit_text(text: str, size: int, width: int) -> tuple[ImageFont.FreeTypeFont, str]:
    """Return a font in which a text is at most `width` pixels wide, and the text.

    The text shrinks to no less than two thirds of `size`, and is cut if even that is too wide.
    """
    file = "fraunces-600.ttf" if is_latin(text) else "noto-serif-600.ttf"
    font = _load_font(file, size)
    broad = font.getlength(text)
    if broad <= width:
        return font, text
    font = _load_font(file, max(int(size * width / broad), size * 2 // 3))
    cut = text
    while cut and font.getlength(text if cut == text else f"{cut.rstrip()}…") > width:
        cut = cut[:-1]
    return font, text if cut == text else f"{cut.rstrip()}…"


@lru_cache(maxsize=24)
def _load_font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / file, size)
