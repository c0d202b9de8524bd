#include "core/results/trust.h"

#include <stdint.h>
#include <stdlib.h>

size_t trust_limit(size_t file_bytes)
{
    return file_bytes > (SIZE_MAX - TRUST_FREE) / TRUST_FACTOR ? SIZE_MAX : file_bytes * TRUST_FACTOR + TRUST_FREE;
}

void trust_init(struct trust *trust, size_t file_bytes)
{
    *trust = (struct trust){ .left = trust_limit(file_bytes), .text_left = file_bytes + TRUST_FREE };
}

bool trust_take(struct trust *trust, size_t count, size_t size)
{
    if (size && count > trust->left / size)
        return false;
    trust->left -= count * size;
    return true;
}

bool trust_place(hid_t set)
{
    const hid_t plist = H5Dget_create_plist(set);
    const bool inside = plist >= 0 && H5Pget_external_count(plist) == 0 && H5Pget_layout(plist) != H5D_VIRTUAL;
    if (plist >= 0)
        H5Pclose(plist);
    return inside;
}

bool trust_storage(hid_t set, size_t bytes)
{
    return bytes <= trust_limit((size_t)H5Dget_storage_size(set));
}

bool trust_group(struct trust *trust, hid_t group)
{
    H5G_stat_t info;
    if (trust->n_group == TRUST_MAX_GROUPS || H5Gget_objinfo(group, ".", 0, &info) < 0)
        return false;
    for (int k = 0; k < trust->n_group; k++)
        if (trust->group[k][0] == info.objno[0] && trust->group[k][1] == info.objno[1])
            return false;
    trust->group[trust->n_group][0] = info.objno[0];
    trust->group[trust->n_group++][1] = info.objno[1];
    return true;
}

static void *take_string(size_t size, void *user)
{
    struct trust *trust = user;
    if (size > trust->text_left)
        return NULL;
    trust->text_left -= size;
    return malloc(size ? size : 1);
}

static void drop_string(void *string, void *user)
{
    (void)user;
    free(string);
}

hid_t trust_strings(struct trust *trust)
{
    const hid_t plist = H5Pcreate(H5P_DATASET_XFER);
    if (plist >= 0)
        H5Pset_vlen_mem_manager(plist, take_string, trust, drop_string, NULL);
    return plist;
}
