#include "core/results/hdf5_read.h"

#include "core/base/mem.h"
#include "core/results/trust.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 8,                      /* groups in groups */
    MAX_VALUES = 1 << 28                /* of a dataset: damaged sizes do not ask for all the memory */
};

static const char plain_axis[] = "This is a netCDF dimension but not a netCDF variable.";
static const char prefix[] = "_nc4_non_coord_";

struct reader {
    struct result *result;
    const char *failed;                 /* what could not be read; NULL: nothing so far */
    const char *why;                    /* "is damaged", or what is wrong with it */
    struct trust trust;
    struct arena mem;
};

static void refuse(struct reader *reader, const char *group, const char *name, const char *why)
{
    if (reader->failed)
        return;
    reader->failed = arena_printf(&reader->mem, "%s/%s", strcmp(group, "/") == 0 ? "" : group, name);
    reader->why = why;
}

static void fail(struct reader *reader, const char *group, const char *name)
{
    refuse(reader, group, name, "is damaged");
}

/* --- Values -------------------------------------------------------------------------------------------------- */

/* What a stored type becomes; false: nothing of ours (compound types, references, 2-byte strings, ...). */
static bool type_of(hid_t stored, enum result_type *type)
{
    switch (H5Tget_class(stored)) {
    case H5T_FLOAT:   *type = RESULT_DOUBLE; return true;
    case H5T_STRING:  *type = RESULT_TEXT;   return true;
    case H5T_ENUM:    *type = RESULT_FLAG;   return H5Tget_size(stored) == 1;
    case H5T_INTEGER: *type = H5Tget_size(stored) == 1 ? RESULT_FLAG : RESULT_INT; return true;
    default:          return false;
    }
}

static hid_t native_type(enum result_type type)
{
    return type == RESULT_DOUBLE ? H5T_NATIVE_DOUBLE : type == RESULT_INT ? H5T_NATIVE_INT : H5T_NATIVE_UCHAR;
}

/* H5Dread and H5Aread, so that one function reads both. */
static bool read_raw(hid_t id, hid_t given, hid_t plist, void *values)
{
    if (H5Iget_type(id) == H5I_ATTR)
        return H5Aread(id, given, values) >= 0;
    return H5Dread(id, given, H5S_ALL, H5S_ALL, plist, values) >= 0;
}

/* Strings of one length for all: copied out of one block, each with a terminator. */
static bool read_fixed_texts(struct reader *reader, hid_t id, hid_t given, size_t size, int n, const char **text)
{
    if (size == 0 || !trust_take(&reader->trust, (size_t)n, size + 1))
        return false;
    char *block = arena_alloc(&reader->mem, (size_t)n, size + 1);
    H5Tset_size(given, size + 1);
    H5Tset_strpad(given, H5T_STR_NULLTERM);
    if (!read_raw(id, given, H5P_DEFAULT, block))
        return false;
    for (int k = 0; k < n; k++)
        text[k] = block + (size_t)k * (size + 1);
    return true;
}

static bool read_variable_texts(struct reader *reader, hid_t id, hid_t given, hid_t space, int n, const char **text)
{
    char **raw = mem_alloc((size_t)n, sizeof *raw);
    const hid_t plist = H5Iget_type(id) == H5I_ATTR ? H5P_DEFAULT : trust_strings(&reader->trust);
    H5Tset_size(given, H5T_VARIABLE);
    const bool ok = read_raw(id, given, plist, raw);
    for (int k = 0; k < n && ok; k++)
        text[k] = raw[k] ? arena_copy_text(&reader->mem, raw[k]) : "";
    if (ok)
        H5Dvlen_reclaim(given, space, plist, raw);
    if (plist != H5P_DEFAULT)
        H5Pclose(plist);
    free(raw);
    return ok;
}

/* n texts of a dataset or an attribute, in the arena; NULL after a failure. The character set is taken from the
 * file: HDF5 does not convert between its two, and ASCII is UTF-8 anyway. */
static const char **read_texts(struct reader *reader, hid_t id, hid_t stored, hid_t space, int n)
{
    if (!trust_take(&reader->trust, (size_t)n, sizeof(char *)))
        return NULL;
    const char **text = arena_alloc(&reader->mem, (size_t)n, sizeof *text);
    const hid_t given = H5Tcopy(H5T_C_S1);
    H5Tset_cset(given, H5Tget_cset(stored));
    const bool ok = H5Tis_variable_str(stored) > 0
        ? read_variable_texts(reader, id, given, space, n, text)
        : read_fixed_texts(reader, id, given, H5Tget_size(stored), n, text);
    H5Tclose(given);
    return ok ? text : NULL;
}

/* --- Attributes ---------------------------------------------------------------------------------------------- */

/* An attribute with one element; without a name if it is absent or of another kind. */
static struct result_attr read_attr(struct reader *reader, hid_t owner, const char *name)
{
    struct result_attr value = { .d = NAN, .text = "" };
    bool found = false;
    if (H5Aexists(owner, name) <= 0)
        return value;
    const hid_t attr = H5Aopen(owner, name, H5P_DEFAULT);
    if (attr < 0)
        return value;
    const hid_t stored = H5Aget_type(attr), space = H5Aget_space(attr);
    if (type_of(stored, &value.type) && H5Sget_simple_extent_npoints(space) == 1) {
        if (value.type == RESULT_TEXT) {
            const char **text = read_texts(reader, attr, stored, space, 1);
            found = text != NULL;
            value.text = text ? text[0] : "";
        } else if (value.type == RESULT_DOUBLE) {
            found = read_raw(attr, H5T_NATIVE_DOUBLE, H5P_DEFAULT, &value.d);
        } else {
            value.type = RESULT_INT;
            found = read_raw(attr, H5T_NATIVE_INT, H5P_DEFAULT, &value.i);
            value.d = found ? value.i : (double)NAN;
        }
    }
    value.name = found ? name : NULL;
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(attr);
    return value;
}

static const char *read_attr_text(struct reader *reader, hid_t owner, const char *name)
{
    return read_attr(reader, owner, name).text;
}

static void read_group_attr(struct reader *reader, hid_t id, struct result_group *group, const char *name)
{
    const struct result_attr attr = read_attr(reader, id, name);
    if (attr.name && strncmp(name, "_nc3", 4) != 0 && strncmp(name, "_NC", 3) != 0)
        result_set_attr(group, &attr);
}

static void read_group_attrs(struct reader *reader, hid_t id, struct result_group *group, bool ordered)
{
    const H5_index_t by = ordered ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    const int n = H5Aget_num_attrs(id);
    for (int k = 0; k < n; k++) {
        char name[256];
        if (H5Aget_name_by_idx(id, ".", by, H5_ITER_INC, (hsize_t)k, name, sizeof name, H5P_DEFAULT) >= 0)
            read_group_attr(reader, id, group, name);
    }
}

/* --- Axes ---------------------------------------------------------------------------------------------------- */

struct shape { int rank; hsize_t dims[4]; hsize_t n; };

/* False for what has no place in a result: more than four axes, more than MAX_VALUES values. */
static bool read_shape(hid_t set, struct shape *shape)
{
    const hid_t space = H5Dget_space(set);
    shape->rank = H5Sget_simple_extent_ndims(space);
    bool ok = shape->rank >= 0 && shape->rank <= 4 && H5Sget_simple_extent_type(space) != H5S_NULL;
    if (ok)
        H5Sget_simple_extent_dims(space, shape->dims, NULL);
    shape->n = 1;
    for (int k = 0; ok && k < shape->rank; k++) {
        ok = shape->dims[k] <= MAX_VALUES && shape->n * shape->dims[k] <= MAX_VALUES;
        shape->n *= shape->dims[k];
    }
    H5Sclose(space);
    return ok;
}

/* The axis of that name and size; where the name is taken by another size, "<name>_<n>". */
static int axis_of_size(struct reader *reader, struct result_group *group, const char *name, int n)
{
    int k = result_axis_find(group, name);
    while (k >= 0 && group->axis[k]->n != n) {
        name = arena_printf(&reader->mem, "%s_%d", name, n);
        k = result_axis_find(group, name);
    }
    return k >= 0 ? k : result_axis(group, name, n, NULL, NULL, NULL);
}

static herr_t take_scale_name(hid_t set, unsigned dim, hid_t scale, void *user)
{
    (void)set;
    (void)dim;
    char *name = user;
    char path[512];
    if (H5Iget_name(scale, path, sizeof path) <= 0)
        return 1;
    const char *slash = strrchr(path, '/');
    snprintf(name, 256, "%.255s", slash ? slash + 1 : path);
    return 1;
}

/* The axis of dimension k of a dataset, by its first dimension scale. */
static int axis_of_dim(struct reader *reader, struct result_group *group, hid_t set, int k, int n)
{
    char name[256] = "";
    if (H5DSget_num_scales(set, (unsigned)k) > 0)
        H5DSiterate_scales(set, (unsigned)k, NULL, take_scale_name, name);
    if (!*name)
        snprintf(name, sizeof name, "dim_%d", n);
    return axis_of_size(reader, group, name, n);
}

/* Room for the n values of a dataset; NULL, and the file is refused, where it does not hold as many. */
static void *take_room(struct reader *reader, hid_t set, const char *path, const char *name, size_t n, size_t size)
{
    if (trust_storage(set, n * size) && trust_take(&reader->trust, n, size))
        return arena_alloc(&reader->mem, n, size);
    refuse(reader, path, name, "declares more than the file holds");
    return NULL;
}

/* A scale with numbers becomes an axis with values. One with a role is a variable that has the name of its axis:
 * this, words and integers become an axis and a dataset. Returns false if the dataset is still to be read. */
static bool read_axis(struct reader *reader, struct result_group *group, hid_t set, const char *name,
                      const char *path)
{
    struct shape shape;
    enum result_type type;
    if (!read_shape(set, &shape) || shape.rank != 1 || result_axis_find(group, name) >= 0)
        return true;
    const int n = (int)shape.dims[0];
    const bool plain = strncmp(read_attr_text(reader, set, "NAME"), plain_axis, sizeof plain_axis - 1) == 0;
    const char *units = read_attr_text(reader, set, "units");
    const char *long_name = read_attr_text(reader, set, "long_name");
    const hid_t stored = H5Dget_type(set);
    const bool numbers = !plain && type_of(stored, &type) && type == RESULT_DOUBLE
                      && !*read_attr_text(reader, set, "role");
    H5Tclose(stored);
    double *values = numbers ? take_room(reader, set, path, name, (size_t)n, sizeof *values) : NULL;
    if (values && n > 0 && !read_raw(set, H5T_NATIVE_DOUBLE, H5P_DEFAULT, values))
        fail(reader, path, name);
    result_axis(group, name, n, values, units, long_name);
    return plain || numbers;
}

/* --- Datasets ------------------------------------------------------------------------------------------------ */

/* Reads the values and adds the dataset. */
static bool read_values(struct reader *reader, struct result_group *group, hid_t set, const char *name,
                        enum result_type type, const struct shape *shape, const int *axis)
{
    void *values = take_room(reader, set, group->path, name, (size_t)shape->n, result_size_of(type));
    bool ok = values != NULL;
    if (ok && type == RESULT_TEXT && shape->n > 0) {
        const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
        values = read_texts(reader, set, stored, space, (int)shape->n);
        ok = values != NULL;
        H5Tclose(stored);
        H5Sclose(space);
    } else if (ok && shape->n > 0) {
        ok = read_raw(set, native_type(type), H5P_DEFAULT, values);
    }
    if (ok)
        result_values(group, name, type, shape->rank, axis, values, read_attr_text(reader, set, "units"),
                      read_attr_text(reader, set, "long_name"), read_attr_text(reader, set, "role"));
    return ok;
}

static void read_data(struct reader *reader, struct result_group *group, hid_t set, const char *name,
                      const char *path)
{
    struct shape shape;
    enum result_type type;
    const hid_t stored = H5Dget_type(set);
    const bool known = type_of(stored, &type);
    H5Tclose(stored);
    if (!known || !read_shape(set, &shape))
        return;
    int axis[4] = { 0 };
    const bool own_axis = H5DSis_scale(set) > 0 && shape.rank == 1 && result_axis_find(group, name) >= 0;
    for (int k = 0; k < shape.rank; k++)
        axis[k] = own_axis ? result_axis_find(group, name) : axis_of_dim(reader, group, set, k, (int)shape.dims[k]);
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        name += sizeof prefix - 1;
    if (!read_values(reader, group, set, name, type, &shape, axis)) {
        fail(reader, path, name);
        return;
    }
    if (type == RESULT_DOUBLE)
        result_set_bounds(group, name, read_attr(reader, set, "lower_bound").d,
                          read_attr(reader, set, "upper_bound").d);
}

/* --- Groups -------------------------------------------------------------------------------------------------- */

enum { READ_AXES, READ_DATA, READ_GROUPS, N_PASSES };

static void read_group(struct reader *reader, hid_t id, const char *path, int depth);

static void read_set(struct reader *reader, hid_t set, struct result_group *group, const char *name,
                     const char *path, int pass)
{
    if (!trust_place(set)) {
        refuse(reader, path, name, "lies in another file");
        return;
    }
    const bool scale = H5DSis_scale(set) > 0;
    if (pass == READ_AXES && scale) {
        if (!read_axis(reader, group, set, name, path))
            read_data(reader, group, set, name, path);
    } else if (pass == READ_DATA && !scale) {
        read_data(reader, group, set, name, path);
    }
}

/* Link k of a group, in the pass it belongs to. Soft links are left out: they lead to what is read anyway, or
 * nowhere. */
static void read_link(struct reader *reader, hid_t id, const char *path, int depth, int pass, H5_index_t by,
                      hsize_t k)
{
    char name[256];
    H5L_info_t link;
    if (H5Lget_info_by_idx(id, ".", by, H5_ITER_INC, k, &link, H5P_DEFAULT) < 0 || link.type == H5L_TYPE_SOFT
        || H5Lget_name_by_idx(id, ".", by, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT) < 0)
        return;
    if (link.type != H5L_TYPE_HARD) {
        refuse(reader, path, name, "leads to another file");
        return;
    }
    const hid_t object = H5Oopen(id, name, H5P_DEFAULT);
    if (object < 0) {
        fail(reader, path, name);
        return;
    }
    const H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_DATASET && pass != READ_GROUPS)
        read_set(reader, object, result_group(reader->result, path), name, path, pass);
    if (kind == H5I_GROUP && pass == READ_GROUPS && depth < MAX_DEPTH)
        read_group(reader, object, arena_printf(&reader->mem, "%s/%s", depth ? path : "", name), depth + 1);
    H5Oclose(object);
}

static bool tracks_order(hid_t id, bool links)
{
    unsigned flags = 0;
    const hid_t plist = H5Gget_create_plist(id);
    const herr_t got = links ? H5Pget_link_creation_order(plist, &flags)
                             : H5Pget_attr_creation_order(plist, &flags);
    H5Pclose(plist);
    return got >= 0 && (flags & H5P_CRT_ORDER_INDEXED);
}

/* Axes first, as datasets refer to them; groups last, as they are in the list of the result. */
static void read_group(struct reader *reader, hid_t id, const char *path, int depth)
{
    H5G_info_t info;
    if (!trust_group(&reader->trust, id)) {
        refuse(reader, path, "", "is linked in a circle, or more than once");
        return;
    }
    read_group_attrs(reader, id, result_group(reader->result, path), tracks_order(id, false));
    if (H5Gget_info(id, &info) < 0) {
        fail(reader, path, "");
        return;
    }
    const H5_index_t by = tracks_order(id, true) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    for (int pass = 0; pass < N_PASSES; pass++)
        for (hsize_t k = 0; k < info.nlinks && !reader->failed; k++)
            read_link(reader, id, path, depth, pass, by, k);
}

/* --- Files --------------------------------------------------------------------------------------------------- */

static herr_t take_description(unsigned n, const H5E_error2_t *error, void *user)
{
    (void)n;
    snprintf(user, 256, "%s", error->desc ? error->desc : "unknown error");
    return 0;
}

/* How the file is opened: where its content is given, from that. */
static hid_t access_list(const void *bytes, size_t n)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (bytes) {
        H5Pset_fapl_core(access, 1 << 20, 0);
        H5Pset_file_image(access, (void *)bytes, n);        /* is copied */
    }
    return access;
}

/* Opens the file, or says why not in words of ours, or as the last resort of the library. */
static hid_t open_file(const char *path, const void *bytes, size_t n, struct diag *diag)
{
    if (!bytes && H5Fis_hdf5(path) <= 0) {
        diag_fail(diag, STATUS_IO, "cannot read %s: not an HDF5 file", path);
        return -1;
    }
    const hid_t access = access_list(bytes, n), file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file < 0) {
        char why[256] = "unknown error";
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take_description, why);
        diag_fail(diag, STATUS_IO, "cannot read %s: damaged or in use (%s)", path, why);
    }
    return file;
}

static void read_root(struct reader *reader, hid_t file)
{
    const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    if (root < 0) {
        fail(reader, "/", "");
        return;
    }
    read_group(reader, root, "/", 0);
    H5Gclose(root);
}

enum status hdf5_read(const char *path, const void *bytes, size_t n, struct result **out, struct diag *diag)
{
    *out = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);                  /* our messages, not the library's stack */
    H5PLset_loading_state(0);                               /* no file makes us load code */
    const hid_t file = open_file(path, bytes, n, diag);
    if (file < 0)
        return STATUS_IO;
    struct reader *reader = mem_alloc(1, sizeof *reader);
    reader->result = result_create();
    hsize_t size = n;
    if (!bytes)
        H5Fget_filesize(file, &size);
    trust_init(&reader->trust, (size_t)size);
    read_root(reader, file);
    H5Fclose(file);
    enum status st = STATUS_OK;
    if (reader->failed) {
        st = diag_fail(diag, STATUS_IO, "cannot read %s: %s %s", path, reader->failed, reader->why);
        result_free(reader->result);
    } else {
        *out = reader->result;
    }
    arena_free(&reader->mem);
    free(reader);
    return st;
}

void result_hdf5_version(unsigned version[3])
{
    (void)H5get_libversion(&version[0], &version[1], &version[2]);
}
