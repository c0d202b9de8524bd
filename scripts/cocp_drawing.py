"""The mechanism that a result draws, as patches and lines of matplotlib: for films and pictures of several times."""
from matplotlib.animation import FFMpegWriter, PillowWriter
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, Polygon
import numpy as np

from cocp_texts import clear_of_each_other, wrap

LINK, SPRING, FORCE, GROUND, BOX, DISC = "#33475b", "#7f4f24", "#c0392b", "#777777", "#a66f00", "#0072B2"
TRAILS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
STROKES = 0.025                     # between the strokes of a surface, of the picture's size
YAW, PITCH = -0.6, 0.35             # rad, from where drawings in space are seen


def flat(place):
    """Onto the plane of the picture: [..., 2]."""
    place = np.asarray(place, float)
    if place.shape[-1] < 3:
        return place
    x = np.cos(YAW) * place[..., 0] - np.sin(YAW) * place[..., 1]
    y = np.sin(YAW) * place[..., 0] + np.cos(YAW) * place[..., 1]
    return np.stack([x, np.cos(PITCH) * place[..., 2] + np.sin(PITCH) * y], axis=-1)


def spring(a, b, width):
    """A zigzag from a to b."""
    along, length = b - a, max(np.hypot(*(b - a)), 1e-12)
    across = np.array([-along[1], along[0]]) / length * width
    at = np.concatenate([[0, 0.1], np.linspace(0.14, 0.86, 12), [0.9, 1]])
    side = np.concatenate([[0, 0], np.tile([1, -1], 6), [0, 0]])
    return a + np.outer(at, along) + np.outer(side, across)


def capsule(a, b, radius):
    """The outline of a round bar from a to b."""
    turn = np.arctan2(*(b - a)[::-1])
    ends = [middle + radius * np.column_stack([np.cos(angle), np.sin(angle)])
            for middle, angle in ((a, np.linspace(0.5, 1.5, 13) * np.pi + turn),
                                  (b, np.linspace(-0.5, 0.5, 13) * np.pi + turn))]
    return np.concatenate(ends)


def floor_lines(scene):
    """In space lines of the plane z = 0 under what moves, where the lowest point comes near it: what feet touch."""
    places = [place.reshape(-1, 3) for place in scene["points"].values() if place.shape[-1] == 3]
    if not places:
        return []
    low, high = (reduce(np.concatenate(places), axis=0) for reduce in (np.nanmin, np.nanmax))
    size = max(np.max(high - low), 1e-6)
    step = 10 ** np.floor(np.log10(size)) / 2
    if not abs(low[2]) < 0.15 * size:
        return []
    (x, y) = (step * np.arange(np.floor(low[i] / step - 0.4), np.ceil(high[i] / step + 0.4) + 1) for i in (0, 1))
    return ([np.array([[at, y[0], 0], [at, y[-1], 0]]) for at in x]
            + [np.array([[x[0], at, 0], [x[-1], at, 0]]) for at in y])


def window(scene):
    """Limits that hold everything at all times, with room around."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    radius = {part["at"]: part["width"] if part["kind"] == "circle" else np.hypot(part["width"], part["height"]) / 2
              for part in scene["parts"] if part["kind"] in ("circle", "box")}
    for name, place in scene["points"].items():
        low = np.minimum(low, np.nanmin(flat(place), axis=0) - radius.get(name, 0))
        high = np.maximum(high, np.nanmax(flat(place), axis=0) + radius.get(name, 0))
    for ground in scene["grounds"] + scene["surfaces"] + floor_lines(scene):
        low, high = np.minimum(low, flat(ground).min(axis=0)), np.maximum(high, flat(ground).max(axis=0))
    pad = 0.06 * max(np.max(high - low), 1e-3)
    return low - pad, high + pad


class Mechanism:
    """All parts at one time; move(k) puts them where they are at sample k."""

    def __init__(self, ax, scene, size, alpha=1.0):
        self.scene, self.size = scene, size
        most = max([np.nanmax(np.abs(force), initial=0) for force in scene["forces"].values()] or [0])
        self.per_newton = 0.22 * size / most if most > 0 else 0
        held = {part["at"] for part in scene["parts"] if part["kind"] in ("circle", "box")}
        self.parts = [(part, self._make(ax, part, alpha)) for part in scene["parts"] if part["kind"] not in ("point", "ground")]
        self.dots = [(name, ax.plot([], [], "o", color=TRAILS[k % len(TRAILS)], markersize=5, zorder=4, alpha=alpha,
                                    markeredgecolor="white")[0])
                     for k, name in enumerate(scene["points"]) if name not in held]

    def _make(self, ax, part, alpha):
        kind = part["kind"]
        if kind == "link" and part["width"] > 0:
            return ax.add_patch(Polygon(np.zeros((4, 2)), facecolor=to_rgba("#9fb1c4", alpha),
                                        edgecolor=to_rgba(LINK, alpha), zorder=3))
        if kind in ("link", "spring"):
            return ax.plot([], [], color=LINK if kind == "link" else SPRING, linewidth=3.5 if kind == "link" else 1.4,
                           solid_capstyle="round", zorder=3, alpha=alpha)[0]
        if kind == "circle":
            return ax.add_patch(Circle((0, 0), part["width"], facecolor=to_rgba(DISC, 0.3 * alpha), edgecolor=to_rgba(DISC, alpha), zorder=2.5))
        if kind == "box":
            return ax.add_patch(Polygon(np.zeros((4, 2)), facecolor=to_rgba(BOX, 0.25 * alpha), edgecolor=to_rgba(BOX, alpha), zorder=2.4))
        return ax.annotate("", (0, 0), (0, 0), zorder=5, alpha=alpha,
                           arrowprops={"arrowstyle": "-|>", "color": FORCE, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0})

    def move(self, k):
        place = {name: flat(at[k]) for name, at in self.scene["points"].items()}
        for name, dot in self.dots:
            dot.set_data([place[name][0]], [place[name][1]])
        for part, artist in self.parts:
            self._move_part(part, artist, place, k)

    def _move_part(self, part, artist, place, k):
        kind, at = part["kind"], place[part["at"]]
        if kind == "link" and part["width"] > 0:
            artist.set_xy(capsule(at, place[part["to"]], part["width"]))
        elif kind == "link":
            artist.set_data(*np.column_stack([at, place[part["to"]]]))
        elif kind == "spring":
            artist.set_data(*spring(at, place[part["to"]], 0.015 * self.size).T)
        elif kind == "circle":
            artist.set_center(at)
        elif kind == "box":
            turn = self.scene["angles"].get(part["name"], np.zeros(k + 1))[k]
            across = np.array([np.cos(turn), np.sin(turn)]) * part["width"] / 2
            up = np.array([-np.sin(turn), np.cos(turn)]) * part["height"] / 2
            artist.set_xy([at - across - up, at + across - up, at + across + up, at - across + up])
        else:
            force = self.scene["forces"].get(part["name"])
            from_place = self.scene["points"][part["at"]][k]
            tip = flat(from_place + self.per_newton * np.resize(force[k], len(from_place))) if force is not None else at
            artist.set_visible(bool(np.hypot(*(tip - at)) > 0.01 * self.size))
            artist.xy, artist.xyann = tuple(tip), tuple(at)


def draw_surface(ax, corners, size):
    """A line with short strokes on its right, where it is solid."""
    along = np.diff(corners, axis=0)
    length = np.concatenate([[0], np.cumsum(np.hypot(*along.T))])
    at = np.arange(0.5 * STROKES * size, length[-1], STROKES * size)
    k = np.clip(np.searchsorted(length, at, "right") - 1, 0, len(along) - 1)
    from_line = corners[k] + along[k] * ((at - length[k]) / (length[k + 1] - length[k]))[:, None]
    way = along[k] / np.hypot(*along[k].T)[:, None]
    stroke = 0.6 * STROKES * size * (np.column_stack([way[:, 1], -way[:, 0]]) - way)
    ax.plot(*corners.T, color=GROUND, linewidth=1.4, zorder=1)
    ax.add_collection(LineCollection(np.stack([from_line, from_line + stroke], axis=1), colors=GROUND, linewidths=0.7, zorder=0.9))


def set_stage(ax, scene, title, limits):
    low, high = limits
    in_space = any(place.shape[-1] == 3 for place in scene["points"].values())
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    for ground in scene["grounds"]:
        line = flat(ground)
        ax.plot(*line.T, color=GROUND, linewidth=1.4, zorder=1)
        if not in_space:
            ax.fill(np.concatenate([line[:, 0], line[[-1, 0], 0]]), np.concatenate([line[:, 1], [low[1], low[1]]]),
                    color="#eeeeee", zorder=0, linewidth=0)
    for line in floor_lines(scene):
        ax.plot(*flat(line).T, color="#d5dae0", linewidth=0.8, zorder=0.5)
    for surface in scene["surfaces"]:
        draw_surface(ax, surface, float(np.max(high - low)))
    if in_space:
        ax.set_axis_off()
    elif scene["length_units"]:
        ax.set(xlabel=f"[{scene['length_units']}]", ylabel=f"[{scene['length_units']}]")
    ax.set_title(title, fontsize=10)
    wrap(ax.title, 0.97 * ax.figure.bbox.width, ax.figure)
    ax.spines[["top", "right"]].set_visible(False)


def to_label(places, samples):
    """Of the points the one whose places at these samples are best told apart: the times stand there."""
    def apart(place):
        at = flat(place)[samples]
        distance = np.hypot(*(at[:, None] - at[None]).T) + np.where(np.eye(len(at)), np.inf, 0)
        return np.mean(np.minimum(distance.min(axis=0), 1e12)) if len(at) > 1 else 0
    best = max(map(apart, places))
    return next(place for place in places if apart(place) >= 0.7 * best)


def draw_poses(ax, scene, size, n):
    """The mechanism at n times, the later the darker, and the paths of its points."""
    t = scene["t"]
    samples = [int(np.argmin(np.abs(t - when))) for when in np.linspace(t[0], t[-1], n)]
    for k, place in enumerate(scene["points"].values()):
        ax.plot(*flat(place).T, color=TRAILS[k % len(TRAILS)], linewidth=1.0, alpha=0.7, zorder=2)
    labelled, times = flat(to_label(list(scene["points"].values()), samples)), []
    for i, k in enumerate(samples):
        Mechanism(ax, scene, size, alpha=0.25 + 0.75 * i / max(1, n - 1)).move(k)
        times.append(ax.annotate(f"{t[k]:.2f} {scene['time_units']}", labelled[k], xytext=(0, 11),
                                 textcoords="offset points", ha="center", fontsize=7, color="#444444", zorder=6,
                                 bbox={"boxstyle": "square,pad=0.1", "facecolor": "#ffffffb0", "edgecolor": "none"}))
    ax.figure.canvas.draw()                         # now it is known where everything is
    clear_of_each_other(times, ax.figure)


def film_writer(output, fps):
    """MP4 by ffmpeg, else GIF; and its dots per inch."""
    if output.endswith(".mp4"):
        return FFMpegWriter(fps=fps, codec="h264", extra_args=["-pix_fmt", "yuv420p"]), 100
    return PillowWriter(fps=fps), 80


def make_even(figure, dpi):
    """Pixels in even numbers, as H.264 wants."""
    figure.set_size_inches(*(2 * round(side * dpi / 2) / dpi for side in figure.get_size_inches()))
