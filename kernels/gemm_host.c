/* Matrix products of the host: oneDNN's matmul primitive, made once for each format and size. */
#include "kernels/gemm.h"

#include <stdio.h>
#include <string.h>

#ifdef HAVE_ONEDNN

#include <oneapi/dnnl/dnnl.h>
#include <stdlib.h>

enum { A, B, C, OPERANDS };

/* oneDNN's objects for one format and size; a list, kept until the program ends. */
struct problem {
    enum gemm_type type;
    size_t m, n, k;
    const char *implementation; /* oneDNN's name for it, valid as long as description */
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    dnnl_memory_t memory[OPERANDS];
    struct problem *next;
};

static struct problem *problems;
static dnnl_engine_t engine;
static dnnl_stream_t stream;

/* Descriptions are values in oneDNN 2 and objects in 3. */
#if DNNL_VERSION_MAJOR < 3
#define make_description dnnl_memory_desc_init_by_strides
#else
#define make_description dnnl_memory_desc_create_with_strides
#endif

static int describe(dnnl_memory_desc_t *out, size_t rows, size_t columns, int transposed,
                    dnnl_data_type_t type)
{
    const dnnl_dims_t dims = {(dnnl_dim_t)rows, (dnnl_dim_t)columns};
    const dnnl_dims_t strides = {transposed ? 1 : (dnnl_dim_t)columns,
                                 transposed ? (dnnl_dim_t)rows : 1};

    return make_description(out, 2, dims, type, strides);
}

#if DNNL_VERSION_MAJOR < 3
static int describe_product(struct problem *p, const dnnl_memory_desc_t *operands)
{
    dnnl_matmul_desc_t product;
    int code = dnnl_matmul_desc_init(&product, &operands[A], &operands[B], NULL, &operands[C]);

    return code ? code
                : (int)dnnl_primitive_desc_create(&p->description, &product, NULL, engine, NULL);
}

static int make_memory(dnnl_memory_t *out, const dnnl_memory_desc_t *operand)
{
    return dnnl_memory_create(out, operand, engine, DNNL_MEMORY_NONE);
}

static void release(dnnl_memory_desc_t *operand)
{
    (void)operand;
}
#else
static int describe_product(struct problem *p, const dnnl_memory_desc_t *operands)
{
    return dnnl_matmul_primitive_desc_create(&p->description, engine, operands[A], operands[B],
                                             NULL, operands[C], NULL);
}

static int make_memory(dnnl_memory_t *out, const dnnl_memory_desc_t *operand)
{
    return dnnl_memory_create(out, *operand, engine, DNNL_MEMORY_NONE);
}

static void release(dnnl_memory_desc_t *operand)
{
    dnnl_memory_desc_destroy(*operand);
}
#endif

static int make_objects(struct problem *p)
{
    const dnnl_data_type_t type = p->type == GEMM_BF16 ? dnnl_bf16 : dnnl_f32;
    dnnl_memory_desc_t operands[OPERANDS] = {0};
    int code = describe(&operands[A], p->m, p->k, 0, type);

    code = code ? code : describe(&operands[B], p->k, p->n, 1, type);
    code = code ? code : describe(&operands[C], p->m, p->n, 0, type);
    code = code ? code : describe_product(p, operands);
    if (!code)
        dnnl_primitive_desc_query(p->description, dnnl_query_impl_info_str, 0, &p->implementation);
    code = code ? code : (int)dnnl_primitive_create(&p->primitive, p->description);
    for (int i = A; i < OPERANDS && !code; i++)
        code = make_memory(&p->memory[i], &operands[i]);
    for (int i = A; i < OPERANDS; i++)
        release(&operands[i]);
    return code;
}

static int start_library(void)
{
    int code = engine ? dnnl_success : dnnl_engine_create(&engine, dnnl_cpu, 0);

    if (!code && !stream)
        code = dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
    return code;
}

static struct problem *find_problem(const struct gemm_args *a)
{
    for (struct problem *p = problems; p; p = p->next)
        if (p->type == a->type && p->m == a->m && p->n == a->n && p->k == a->k)
            return p;
    return NULL;
}

static struct problem *add_problem(const struct gemm_args *a, int *code)
{
    struct problem *p = calloc(1, sizeof *p);

    *code = p ? start_library() : dnnl_out_of_memory;
    if (!p)
        return NULL;
    *p = (struct problem){.type = a->type, .m = a->m, .n = a->n, .k = a->k, .next = problems};
    if (!*code)
        *code = make_objects(p);
    problems = p;
    return p;
}

void gemm_host_plan(struct gemm_args *a)
{
    const struct gemm_format *f = &gemm_formats[a->type];
    struct problem *p;
    int code = dnnl_success;

    a->refusal[0] = '\0';
    if (a->type != GEMM_FP32 && a->type != GEMM_BF16) {
        snprintf(a->refusal, sizeof a->refusal, "the host is measured in fp32 and bf16, not in %s",
                 f->precision);
        return;
    }
    p = find_problem(a);
    if (!p)
        p = add_problem(a, &code);
    if (code == dnnl_unimplemented)
        snprintf(a->refusal, sizeof a->refusal, "oneDNN %d.%d has no %s product for this CPU",
                 dnnl_version()->major, dnnl_version()->minor, f->precision);
    else if (code)
        snprintf(a->refusal, sizeof a->refusal, "oneDNN refuses the product (status %d)", code);
    else if (a->type != GEMM_FP32 && strstr(p->implementation, "ref"))
        snprintf(a->refusal, sizeof a->refusal,
                 "oneDNN would multiply %s by its slow reference code (%s) on this CPU",
                 f->precision, p->implementation);
    if (!a->refusal[0])
        snprintf(a->algorithm, sizeof a->algorithm, "%s", p->implementation);
    a->problem = p;
}

static int gemm_host(const void *args, unsigned worker, unsigned workers)
{
    const struct gemm_args *a = args;
    const struct problem *p = a->problem;
    /* oneDNN's interface has no const; it only reads A and B. */
    const uintptr_t addresses[OPERANDS] = {(uintptr_t)a->a, (uintptr_t)a->b, (uintptr_t)a->c};
    const dnnl_exec_arg_t operands[] = {{DNNL_ARG_SRC, p->memory[A]},
                                        {DNNL_ARG_WEIGHTS, p->memory[B]},
                                        {DNNL_ARG_DST, p->memory[C]}};
    int code = dnnl_success;

    (void)worker, (void)workers;
    for (int i = A; i < OPERANDS && !code; i++)
        code = dnnl_memory_set_data_handle(p->memory[i], (void *)addresses[i]);
    code = code ? code : (int)dnnl_primitive_execute(p->primitive, stream, OPERANDS, operands);
    return code ? code : (int)dnnl_stream_wait(stream);
}

#else

void gemm_host_plan(struct gemm_args *a)
{
    snprintf(a->refusal, sizeof a->refusal, "this build has no oneDNN");
}

#define gemm_host NULL

#endif

const struct kernel kernel_gemm = {
    .name = "gemm",
    .host = gemm_host,
    .host_threads = HOST_OWN_THREADS,
    .cuda = KERNEL_CUDA(gemm_cuda),
    .plan = KERNEL_CUDA(gemm_plan),
};
