/* Result files: netCDF-4, written by HDF5 itself
 *
 * Why not by netCDF-C, whose format this is? Both were tried on the same results (netCDF-C 4.9.0, HDF5 1.10.8).
 * Groups, attributes, strings, compression, dimension scales, a file image in memory for an atomic replacement,
 * and the same bytes for the same input: both have them. A writer by netCDF-C is about half as long as this one;
 * it takes as long (12 to 33 ms a file against 14 to 31), and its images are rounded up to 64 KB (one of these
 * for a certificate of 46 KB). What decides: a dimension of size 0 is an unlimited one to it, so that a run
 * without events would no longer look like what it is; files by others that have no dimension scales would come
 * with names of its making; what is wrong with a damaged file comes out as "NetCDF: HDF error"; and the program
 * would load libnetcdf, libxml2 and ICU, 36 MB, on top of the HDF5 that it needs all the same. So HDF5 stays;
 * ncdump, in the tests, says whether the format is kept.
 */
#include "core/results/results.h"

#include "core/base/mem.h"
#include "core/results/save.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COMPRESS_FROM = 1024,               /* values; below, the index of chunks costs more than deflate saves */
    CHUNK_VALUES = 1 << 16,
    CONVERTED_AT_ONCE = 1 << 12         /* bytes; texts are converted in two cleared buffers of this size, 1 MB by default */
};

/* Remembers the first failure and does nothing after it: one check at the end for all calls. */
struct writer {
    hid_t file, text_type, transfer;
    const char *failed;                 /* what could not be stored; NULL: nothing so far */
    struct arena mem;
};

static void check(struct writer *writer, bool ok, const char *what)
{
    if (!ok && !writer->failed)
        writer->failed = arena_copy_text(&writer->mem, what);
}

/* --- Attributes ---------------------------------------------------------------------------------------------- */

static void write_attr(struct writer *writer, hid_t owner, const char *name, hid_t stored, hid_t given,
                       const void *value)
{
    if (writer->failed)
        return;
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attr = H5Acreate2(owner, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    check(writer, attr >= 0 && H5Awrite(attr, given, value) >= 0, name);
    if (attr >= 0)
        H5Aclose(attr);
    H5Sclose(space);
}

static void write_attr_text(struct writer *writer, hid_t owner, const char *name, const char *text)
{
    write_attr(writer, owner, name, writer->text_type, writer->text_type, &text);
}

static void write_attr_if_text(struct writer *writer, hid_t owner, const char *name, const char *text)
{
    if (*text)
        write_attr_text(writer, owner, name, text);
}

static void write_attr_if_finite(struct writer *writer, hid_t owner, const char *name, double value)
{
    if (isfinite(value))
        write_attr(writer, owner, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

static void write_group_attrs(struct writer *writer, hid_t id, const struct result_group *group)
{
    for (int k = 0; k < group->n_attrs; k++) {
        const struct result_attr *attr = group->attr[k];
        if (attr->type == RESULT_TEXT)
            write_attr_text(writer, id, attr->name, attr->text);
        else if (attr->type == RESULT_INT)
            write_attr(writer, id, attr->name, H5T_STD_I32LE, H5T_NATIVE_INT, &attr->i);
        else
            write_attr(writer, id, attr->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &attr->d);
    }
}

/* --- Datasets ------------------------------------------------------------------------------------------------ */

/* Whole rows of the slowest axis, about CHUNK_VALUES values in each chunk. */
static void chunk_shape(int rank, const hsize_t *dims, hsize_t *chunk)
{
    hsize_t room = CHUNK_VALUES;
    for (int k = rank - 1; k >= 0; k--) {
        chunk[k] = dims[k] < room ? dims[k] : room;
        room = room / chunk[k] ? room / chunk[k] : 1;
    }
}

/* Of a dataset: no times (same input, same bytes), attributes in their order, deflate where it pays. */
static hid_t dataset_plist(int rank, const hsize_t *dims, bool compress)
{
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plist, 0);
    H5Pset_attr_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (compress) {
        hsize_t chunk[4];
        chunk_shape(rank, dims, chunk);
        H5Pset_chunk(plist, rank, chunk);
        H5Pset_shuffle(plist);
        H5Pset_deflate(plist, 1);
    }
    return plist;
}

/* A new dataset with its values, or without them (NULL). Returns its id, negative after a failure. */
static hid_t write_values(struct writer *writer, hid_t group, const char *name, int rank, const hsize_t *dims,
                          hid_t stored, hid_t given, const void *values)
{
    if (writer->failed)
        return -1;
    hsize_t n = 1;
    for (int k = 0; k < rank; k++)
        n *= dims[k];
    const bool text = stored == writer->text_type;          /* deflate would only see references */
    const hid_t plist = dataset_plist(rank, dims, values && !text && rank > 0 && n >= COMPRESS_FROM);
    const hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    check(writer, set >= 0, name);
    if (set >= 0 && values && n > 0)
        check(writer, H5Dwrite(set, given, H5S_ALL, H5S_ALL, writer->transfer, values) >= 0, name);
    H5Sclose(space);
    H5Pclose(plist);
    return set;
}

static hid_t write_by_type(struct writer *writer, hid_t group, const char *name, const hsize_t *dims,
                           const struct result_data *data)
{
    hid_t stored = writer->text_type, given = writer->text_type;
    switch (data->type) {
    case RESULT_DOUBLE: stored = H5T_IEEE_F64LE, given = H5T_NATIVE_DOUBLE; break;
    case RESULT_INT:    stored = H5T_STD_I32LE, given = H5T_NATIVE_INT; break;
    case RESULT_FLAG:   stored = H5T_STD_U8LE, given = H5T_NATIVE_UCHAR; break;
    case RESULT_TEXT:   break;
    }
    return write_values(writer, group, name, data->n_axes, dims, stored, given, data->values);
}

/* What the group names as coordinates (CF 5) belongs to the other variables over the same axis. */
static void write_coordinates(struct writer *writer, hid_t set, const struct result_group *group,
                              const struct result_data *data)
{
    const char *name = result_get_text(group, "coordinates");
    const struct result_data *along = name ? result_data_find(group, name) : NULL;
    if (along && along != data && data->n_axes > 0 && data->axis[0] == along->axis[0])
        write_attr_text(writer, set, "coordinates", name);
}

static void write_data_attrs(struct writer *writer, hid_t set, const struct result_data *data)
{
    write_attr_if_text(writer, set, "units", data->units);
    write_attr_if_text(writer, set, "long_name", data->long_name);
    write_attr_if_text(writer, set, "role", data->role);
    write_attr_if_finite(writer, set, "lower_bound", data->lower_bound);
    write_attr_if_finite(writer, set, "upper_bound", data->upper_bound);
}

/* --- Groups -------------------------------------------------------------------------------------------------- */

/* True if the dataset holds the coordinates of the axis `k`: over it alone, named as it. */
static bool is_coordinate(const struct result_group *group, const struct result_data *data, int k)
{
    return data->n_axes == 1 && data->axis[0] == k && !group->axis[k]->values
        && strcmp(data->name, group->axis[k]->name) == 0;
}

/* The dimension scale of an axis without coordinates, after the convention of netCDF-4. Its values are never
 * read and take no room in the file. */
static hid_t write_plain_scale(struct writer *writer, hid_t group, const struct result_axis *axis)
{
    const hsize_t n = (hsize_t)axis->n;
    const hid_t set = write_values(writer, group, axis->name, 1, &n, H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, NULL);
    const char *note = arena_printf(&writer->mem, "This is a netCDF dimension but not a netCDF variable.%10d",
                                    axis->n);
    check(writer, set >= 0 && H5DSset_scale(set, note) >= 0, axis->name);
    return set;
}

static hid_t write_axis(struct writer *writer, hid_t id, const struct result_group *group, int k)
{
    const struct result_axis *axis = group->axis[k];
    const struct result_data *data = result_data_find(group, axis->name);
    const hsize_t n = (hsize_t)axis->n;
    hid_t set;
    if (axis->values)
        set = write_values(writer, id, axis->name, 1, &n, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, axis->values);
    else if (data && is_coordinate(group, data, k))
        set = write_by_type(writer, id, axis->name, &n, data);
    else
        return write_plain_scale(writer, id, axis);
    check(writer, set >= 0 && H5DSset_scale(set, axis->name) >= 0, axis->name);
    if (!axis->values) {
        write_data_attrs(writer, set, data);
        return set;
    }
    write_attr_if_text(writer, set, "units", axis->units);
    write_attr_if_text(writer, set, "long_name", axis->long_name);
    return set;
}

static void write_data(struct writer *writer, hid_t id, const struct result_group *group, const hid_t *scale,
                       const struct result_data *data)
{
    const int same = result_axis_find(group, data->name);
    if (same >= 0 && is_coordinate(group, data, same))
        return;                                             /* written as the axis */
    hsize_t dims[4];
    for (int k = 0; k < data->n_axes; k++)
        dims[k] = (hsize_t)group->axis[data->axis[k]]->n;
    /* The name of an axis belongs to its scale; netCDF-4 has this prefix for other variables of that name. */
    const char *name = same < 0 ? data->name : arena_printf(&writer->mem, "_nc4_non_coord_%s", data->name);
    const hid_t set = write_by_type(writer, id, name, dims, data);
    if (set < 0)
        return;
    for (int k = 0; k < data->n_axes; k++)
        check(writer, H5DSattach_scale(set, scale[data->axis[k]], (unsigned)k) >= 0, data->name);
    write_data_attrs(writer, set, data);
    write_coordinates(writer, set, group, data);
    check(writer, H5Dclose(set) >= 0, data->name);
}

static void write_group_content(struct writer *writer, hid_t id, const struct result_group *group)
{
    hid_t *scale = mem_alloc((size_t)group->n_axes, sizeof *scale);
    write_group_attrs(writer, id, group);
    for (int k = 0; k < group->n_axes; k++)
        scale[k] = write_axis(writer, id, group, k);
    for (int k = 0; k < group->n_data; k++)
        write_data(writer, id, group, scale, group->data[k]);
    for (int k = 0; k < group->n_axes; k++)
        if (scale[k] >= 0)
            H5Dclose(scale[k]);
    free(scale);
}

static void track_order(hid_t plist)
{
    H5Pset_obj_track_times(plist, 0);
    H5Pset_link_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
}

static void write_group(struct writer *writer, const struct result_group *group)
{
    const char *path = group->path;
    if (writer->failed)
        return;
    const hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
    track_order(plist);
    const hid_t id = strcmp(path, "/") == 0 ? H5Gopen2(writer->file, "/", H5P_DEFAULT)
                                            : H5Gcreate2(writer->file, path, H5P_DEFAULT, plist, H5P_DEFAULT);
    check(writer, id >= 0, path);
    if (id >= 0) {
        write_group_content(writer, id, group);
        H5Gclose(id);
    }
    H5Pclose(plist);
}

/* --- Files --------------------------------------------------------------------------------------------------- */

/* The file is built in memory: the disk sees finished bytes only, and its errors reach us with their errno. */
static void open_image(struct writer *writer)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_fapl_core(access, 1 << 20, 0);
    track_order(create);
    writer->text_type = H5Tcopy(H5T_C_S1);
    H5Tset_size(writer->text_type, H5T_VARIABLE);
    H5Tset_cset(writer->text_type, H5T_CSET_UTF8);
    writer->transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_buffer(writer->transfer, CONVERTED_AT_ONCE, NULL, NULL);
    writer->file = H5Fcreate("cocp result in memory", H5F_ACC_TRUNC, create, access);
    check(writer, writer->file >= 0, "file");
    H5Pclose(access);
    H5Pclose(create);
}

/* The finished file as bytes; free() them. NULL after a failure. */
static void *take_image(struct writer *writer, size_t *n)
{
    if (writer->failed)
        return NULL;
    check(writer, H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0, "file");
    const ssize_t size = H5Fget_file_image(writer->file, NULL, 0);
    check(writer, size > 0, "file");
    if (writer->failed)
        return NULL;
    void *bytes = mem_alloc((size_t)size, 1);
    check(writer, H5Fget_file_image(writer->file, bytes, (size_t)size) == size, "file");
    *n = (size_t)size;
    return bytes;
}

enum status result_write(const struct result *result, const char *path, struct diag *diag)
{
    struct writer writer = { .file = -1, .text_type = -1, .transfer = -1 };
    size_t n = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);                  /* our messages, not the library's stack */
    open_image(&writer);
    for (int k = 0; k < result->n_groups && !writer.failed; k++)
        write_group(&writer, result->group[k]);
    void *bytes = take_image(&writer, &n);
    const enum status st = writer.failed
        ? diag_fail(diag, STATUS_IO, "cannot write %s: HDF5 refused %s", path, writer.failed)
        : save_bytes(path, bytes, n, diag);
    if (st == STATUS_OK)
        read_files_add(diag_read_files(diag), path, NULL);
    free(bytes);
    if (writer.file >= 0)
        H5Fclose(writer.file);
    H5Tclose(writer.text_type);
    H5Pclose(writer.transfer);
    arena_free(&writer.mem);
    return st;
}
