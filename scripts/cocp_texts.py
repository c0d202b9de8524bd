"""Texts of specs in pictures of matplotlib: drawn as they are, and where there is room for them."""
import matplotlib
import numpy as np

SMALLEST = 5.0              # points: the smallest letters that can be read


def draw_as_they_are():
    """What stands between two dollars is no formula of TeX; of formatters that write such, use others."""
    matplotlib.rcParams["text.usetex"] = False
    if "text.parse_math" in matplotlib.rcParams:
        matplotlib.rcParams["text.parse_math"] = False
    else:                                           # before 3.6
        matplotlib.cbook.is_math_text = lambda text: False


def in_legend(name):
    """Labels that begin with an underscore are left out of legends."""
    return " " + name if name.startswith("_") else name


def extent(text, figure):
    return text.get_window_extent(figure.canvas.get_renderer())


def fit(text, room, figure, along="width"):
    """Makes a text as small as it must be for so many pixels, else leaves out its middle."""
    size = getattr(extent(text, figure), along)
    if size > room:
        text.set_fontsize(max(SMALLEST, text.get_fontsize() * room / size))
    lines = text.get_text().split("\n")
    kept = max(map(len, lines))
    while kept > 8 and getattr(extent(text, figure), along) > room:
        kept = max(8, min(kept - 1, int(kept * room / getattr(extent(text, figure), along))))
        text.set_text("\n".join(line if len(line) <= kept else line[:kept // 2] + "…" + line[len(line) - (kept - kept // 2):]
                                for line in lines))


def wrap(text, room, figure):
    """Breaks a text of several words into lines of so many pixels; a word that is longer is made to fit."""
    words, lines = text.get_text().split(" "), []
    for word in words:
        text.set_text(f"{lines[-1]} {word}" if lines else word)
        if lines and extent(text, figure).width <= room:
            lines[-1] = text.get_text()
        else:
            lines.append(word)
    text.set_text("\n".join(lines))
    fit(text, room, figure)


def clear_of_each_other(texts, figure, upwards=False):
    """Moves annotations, whose places are offsets in points, up (or up and down) until none is on another."""
    placed = []
    for text in texts:
        x, y = text.get_position()
        for k in range(2 * len(texts) + 1):
            rows = k if upwards else (k + 1) // 2 * (1 if k % 2 else -1)
            text.set_position((x, y + 1.2 * rows * text.get_fontsize()))
            box = extent(text, figure)
            if not any(box.overlaps(other) for other in placed):
                break
        placed.append(box)


def fit_axes(figure):
    """Labels of axes end where their axes do, so that none is on a neighbour's."""
    for ax in figure.axes:
        box = ax.get_window_extent()
        fit(ax.xaxis.label, box.width, figure)
        if extent(ax.yaxis.label, figure).height > box.height:
            ax.set_ylabel(ax.get_ylabel().replace(" [", "\n[", 1))         # units in a line of their own
        fit(ax.yaxis.label, box.height, figure, "height")


def fit_rows(ax, figure):
    """Names of rows at the ticks of y: no taller than a row, no wider than a third of the picture's part."""
    labels, box = ax.get_yticklabels(), ax.get_window_extent()
    for label in labels:
        fit(label, 0.33 * box.width, figure)
        label.set_fontsize(max(SMALLEST, min(label.get_fontsize(), 0.8 * box.height / len(labels) * 72 / figure.dpi)))
    thin(labels, figure)


def fit_words(ax, figure):
    """Names at the ticks of x: upright where they would be on each other, and not too long."""
    labels = ax.get_xticklabels()
    boxes = [extent(label, figure) for label in labels]
    if any(a.overlaps(b) for a, b in zip(boxes, boxes[1:])):
        for label in labels:
            label.set_rotation(90)
            fit(label, 0.33 * ax.get_window_extent().height, figure, "height")
        thin(labels, figure, "width")


def thin(labels, figure, along="height"):
    """Leaves out tick labels that would be on their neighbours."""
    last = -np.inf
    for label in labels:
        box = extent(label, figure)
        low, high = (box.y0, box.y1) if along == "height" else (box.x0, box.x1)
        label.set_visible(low > last)
        last = high if low > last else last
