"""The shared library, libcocp.so.0, by ctypes: what library/cocp.h declares, and nothing of what it means."""
import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_void_p

NAME = "libcocp.so.0"


class Call(ctypes.Structure):
    LOG = CFUNCTYPE(None, c_void_p, c_char_p)
    _fields_ = [("text", c_char_p), ("guess", c_void_p), ("subject", c_void_p), ("log", LOG), ("user", c_void_p)]


class Message(ctypes.Structure):
    _fields_ = [("level", c_char_p), ("file", c_char_p), ("line", c_int), ("column", c_int), ("text", c_char_p),
                ("whole", c_char_p)]


class Attribute(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("number", c_double), ("text", c_char_p)]


class Axis(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("units", c_char_p), ("long_name", c_char_p), ("n", c_int),
                ("values", POINTER(c_double))]


class Dataset(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("units", c_char_p), ("long_name", c_char_p), ("role", c_char_p), ("type", c_int),
                ("n_axes", c_int), ("axis", c_char_p * 4), ("size", c_int * 4), ("n", c_int), ("values", c_void_p),
                ("lower_bound", c_double), ("upper_bound", c_double)]


DOUBLE, INT, FLAG, TEXT = range(4)

FUNCTIONS = {
    "cocp_version": (c_char_p, []),
    "cocp_run": (c_void_p, [c_int, POINTER(c_char_p), POINTER(Call)]),
    "cocp_run_free": (None, [c_void_p]),
    "cocp_stop": (None, []),
    "cocp_run_status": (c_char_p, [c_void_p]),
    "cocp_run_exit_code": (c_int, [c_void_p]),
    "cocp_run_output": (c_char_p, [c_void_p]),
    "cocp_run_result": (c_void_p, [c_void_p]),
    "cocp_run_message": (c_bool, [c_void_p, c_int, POINTER(Message)]),
    "cocp_result_read": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "cocp_result_write": (c_bool, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "cocp_result_free": (None, [c_void_p]),
    "cocp_result_copy": (c_void_p, [c_void_p]),
    "cocp_result_group": (c_char_p, [c_void_p, c_int]),
    "cocp_result_attribute": (c_bool, [c_void_p, c_int, c_int, POINTER(Attribute)]),
    "cocp_result_axis": (c_bool, [c_void_p, c_int, c_int, POINTER(Axis)]),
    "cocp_result_dataset": (c_bool, [c_void_p, c_int, c_int, POINTER(Dataset)]),
}


def text_of(value):
    """A text of the library; None stays None. Bytes that are no UTF-8 are shown as the program shows them, \\xff."""
    return None if value is None else value.decode(errors="backslashreplace")


def bytes_of(text):
    """As the library takes a text, or the bytes of a file: what is no UTF-8 in it stays, and is for the library to judge.
    ValueError: a NUL, where texts of C end."""
    if isinstance(text, str):
        try:
            text = text.encode(errors="surrogateescape")
        except UnicodeEncodeError:                  # half of a pair
            text = text.encode(errors="surrogatepass")
    if b"\0" in text:
        raise ValueError("a NUL byte")
    return text


def beside(*names):
    """The first of the names in the folder of this file, as in a wheel, or in the nearest one above: the prefix it was
    installed to, or the tree it was built in."""
    folder = os.path.dirname(os.path.abspath(__file__))
    while True:
        for name in names:
            if os.path.exists(os.path.join(folder, name)):
                return os.path.join(folder, name)
        if os.path.dirname(folder) == folder:
            return None
        folder = os.path.dirname(folder)


def load():
    path = os.environ.get("COCP_LIBRARY") or beside(f"build/release/{NAME}", f"lib/{NAME}") or NAME
    try:
        library = ctypes.CDLL(path)                 # releases the interpreter's lock in each call
    except OSError as error:
        raise ImportError(f"cocp: {error}; a wheel (`make wheel`, `pip install .`) has {NAME} inside, `make install` puts it "
                          "into PREFIX/lib, and COCP_LIBRARY names another place") from None
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = load()
