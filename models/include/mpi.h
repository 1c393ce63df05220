/* SPDX-License-Identifier: MIT */
/* MPI 3.1 for programs that heddle reads: every function, constant and type of
 * the standard, and what it removed but programs still use. Handles are
 * integers, predefined ones known constants, so that they can be read in the
 * program graph. Calls are external functions; heddle says which of them it
 * knows when one is reached. */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

/* --- types --- */

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Errhandler;
typedef int MPI_File;
typedef int MPI_Group;
typedef int MPI_Info;
typedef int MPI_Message;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Win;
typedef int MPI_Fint;
typedef int MPI_T_enum;
typedef int MPI_T_cvar_handle;
typedef int MPI_T_pvar_handle;
typedef int MPI_T_pvar_session;
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;

typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int heddle_cancelled;      /* MPI_Test_cancelled */
  MPI_Count heddle_received; /* bytes: MPI_Get_count */
} MPI_Status;

typedef struct MPI_F08_status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int heddle_cancelled;
  MPI_Count heddle_received;
} MPI_F08_status;

typedef void MPI_User_function(void *in, void *inout, int *length,
                               MPI_Datatype *type);
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef void MPI_File_errhandler_function(MPI_File *, int *, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *, int *, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *,
                                        int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *,
                                        void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);
typedef int MPI_Win_copy_attr_function(MPI_Win, int, void *, void *, void *,
                                       int *);
typedef int MPI_Win_delete_attr_function(MPI_Win, int, void *, void *);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef int MPI_Grequest_query_function(void *, MPI_Status *);
typedef int MPI_Grequest_free_function(void *);
typedef int MPI_Grequest_cancel_function(void *, int);
typedef int MPI_Datarep_extent_function(MPI_Datatype, MPI_Aint *, void *);
typedef int MPI_Datarep_conversion_function(void *, MPI_Datatype, int, void *,
                                            MPI_Offset, void *);

/* --- handles ---
 * 0 is the null handle of each kind; a program gets larger numbers for those it
 * makes. They are macros, since they are used as constants of their types. */
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0)
#define MPI_FILE_NULL ((MPI_File)0)
#define MPI_GROUP_NULL ((MPI_Group)0)
#define MPI_INFO_NULL ((MPI_Info)0)
#define MPI_MESSAGE_NULL ((MPI_Message)0)
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_WIN_NULL ((MPI_Win)0)
#define MPI_COMM_WORLD ((MPI_Comm)1)
#define MPI_COMM_SELF ((MPI_Comm)2)
#define MPI_GROUP_EMPTY ((MPI_Group)1)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)1)
#define MPI_INFO_ENV ((MPI_Info)1)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)1)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)2)

#define MPI_CHAR ((MPI_Datatype)1)
#define MPI_SIGNED_CHAR ((MPI_Datatype)2)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)3)
#define MPI_BYTE ((MPI_Datatype)4)
#define MPI_WCHAR ((MPI_Datatype)5)
#define MPI_SHORT ((MPI_Datatype)6)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)7)
#define MPI_INT ((MPI_Datatype)8)
#define MPI_UNSIGNED ((MPI_Datatype)9)
#define MPI_LONG ((MPI_Datatype)10)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)11)
#define MPI_LONG_LONG_INT ((MPI_Datatype)12)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)13)
#define MPI_FLOAT ((MPI_Datatype)14)
#define MPI_DOUBLE ((MPI_Datatype)15)
#define MPI_LONG_DOUBLE ((MPI_Datatype)16)
#define MPI_C_BOOL ((MPI_Datatype)17)
#define MPI_INT8_T ((MPI_Datatype)18)
#define MPI_INT16_T ((MPI_Datatype)19)
#define MPI_INT32_T ((MPI_Datatype)20)
#define MPI_INT64_T ((MPI_Datatype)21)
#define MPI_UINT8_T ((MPI_Datatype)22)
#define MPI_UINT16_T ((MPI_Datatype)23)
#define MPI_UINT32_T ((MPI_Datatype)24)
#define MPI_UINT64_T ((MPI_Datatype)25)
#define MPI_AINT ((MPI_Datatype)26)
#define MPI_COUNT ((MPI_Datatype)27)
#define MPI_OFFSET ((MPI_Datatype)28)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype)29)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)30)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)31)
#define MPI_FLOAT_INT ((MPI_Datatype)32)
#define MPI_DOUBLE_INT ((MPI_Datatype)33)
#define MPI_LONG_INT ((MPI_Datatype)34)
#define MPI_2INT ((MPI_Datatype)35)
#define MPI_SHORT_INT ((MPI_Datatype)36)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)37)
#define MPI_PACKED ((MPI_Datatype)38)
#define MPI_LB ((MPI_Datatype)39)
#define MPI_UB ((MPI_Datatype)40)
#define MPI_INTEGER ((MPI_Datatype)41)
#define MPI_REAL ((MPI_Datatype)42)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)43)
#define MPI_COMPLEX ((MPI_Datatype)44)
#define MPI_DOUBLE_COMPLEX ((MPI_Datatype)45)
#define MPI_LOGICAL ((MPI_Datatype)46)
#define MPI_CHARACTER ((MPI_Datatype)47)
#define MPI_INTEGER1 ((MPI_Datatype)48)
#define MPI_INTEGER2 ((MPI_Datatype)49)
#define MPI_INTEGER4 ((MPI_Datatype)50)
#define MPI_INTEGER8 ((MPI_Datatype)51)
#define MPI_INTEGER16 ((MPI_Datatype)52)
#define MPI_REAL2 ((MPI_Datatype)53)
#define MPI_REAL4 ((MPI_Datatype)54)
#define MPI_REAL8 ((MPI_Datatype)55)
#define MPI_REAL16 ((MPI_Datatype)56)
#define MPI_COMPLEX4 ((MPI_Datatype)57)
#define MPI_COMPLEX8 ((MPI_Datatype)58)
#define MPI_COMPLEX16 ((MPI_Datatype)59)
#define MPI_COMPLEX32 ((MPI_Datatype)60)
#define MPI_2INTEGER ((MPI_Datatype)61)
#define MPI_2REAL ((MPI_Datatype)62)
#define MPI_2DOUBLE_PRECISION ((MPI_Datatype)63)
#define MPI_2COMPLEX ((MPI_Datatype)64)
#define MPI_2DOUBLE_COMPLEX ((MPI_Datatype)65)
#define MPI_CXX_BOOL ((MPI_Datatype)66)
#define MPI_CXX_FLOAT_COMPLEX ((MPI_Datatype)67)
#define MPI_CXX_DOUBLE_COMPLEX ((MPI_Datatype)68)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)69)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX

#define MPI_MAX ((MPI_Op)1)
#define MPI_MIN ((MPI_Op)2)
#define MPI_SUM ((MPI_Op)3)
#define MPI_PROD ((MPI_Op)4)
#define MPI_LAND ((MPI_Op)5)
#define MPI_BAND ((MPI_Op)6)
#define MPI_LOR ((MPI_Op)7)
#define MPI_BOR ((MPI_Op)8)
#define MPI_LXOR ((MPI_Op)9)
#define MPI_BXOR ((MPI_Op)10)
#define MPI_MINLOC ((MPI_Op)11)
#define MPI_MAXLOC ((MPI_Op)12)
#define MPI_REPLACE ((MPI_Op)13)
#define MPI_NO_OP ((MPI_Op)14)

/* --- special values --- */

#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_F_STATUS_IGNORE ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_UNWEIGHTED ((int *)2)
#define MPI_WEIGHTS_EMPTY ((int *)3)
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)
#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)-1)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function *)0)
MPI_Comm_copy_attr_function MPI_COMM_DUP_FN, MPI_DUP_FN;
MPI_Type_copy_attr_function MPI_TYPE_DUP_FN;
MPI_Win_copy_attr_function MPI_WIN_DUP_FN;

/* MPIs have other values for these, and -1 is some other one of them in each:
 * numbers that no program computes by chance. */
#define MPI_ANY_SOURCE (-11)
#define MPI_ANY_TAG (-12)
#define MPI_PROC_NULL (-13)
#define MPI_ROOT (-14)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_DISTRIBUTE_DFLT_DARG (-1)
#define MPI_DISPLACEMENT_CURRENT (-54278278)
#define MPI_F_STATUS_SIZE 6
#define MPI_F_SOURCE 0
#define MPI_F_TAG 1
#define MPI_F_ERROR 2
#define MPI_BSEND_OVERHEAD 128
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_ERROR_STRING 256
#define MPI_MAX_OBJECT_NAME 64
#define MPI_MAX_INFO_KEY 36
#define MPI_MAX_INFO_VAL 256
#define MPI_MAX_PORT_NAME 1024
#define MPI_MAX_DATAREP_STRING 128
#define MPI_ASYNC_PROTECTS_NONBLOCKING 1
#define MPI_SUBARRAYS_SUPPORTED 0

enum {
  MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL
};
enum {
  MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
  MPI_THREAD_MULTIPLE
};
enum {
  MPI_GRAPH = 1, MPI_CART, MPI_DIST_GRAPH
};
enum {
  MPI_COMM_TYPE_SHARED = 1
};
enum {
  MPI_ORDER_C = 1, MPI_ORDER_FORTRAN
};
enum {
  MPI_DISTRIBUTE_BLOCK = 1, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE
};
enum {
  MPI_TYPECLASS_INTEGER = 1, MPI_TYPECLASS_REAL, MPI_TYPECLASS_COMPLEX
};
enum {
  MPI_LOCK_EXCLUSIVE = 1, MPI_LOCK_SHARED
};
enum {
  MPI_WIN_FLAVOR_CREATE = 1, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC,
  MPI_WIN_FLAVOR_SHARED
};
enum {
  MPI_WIN_SEPARATE = 1, MPI_WIN_UNIFIED
};
enum {
  MPI_MODE_NOCHECK = 1, MPI_MODE_NOPRECEDE = 2, MPI_MODE_NOPUT = 4,
  MPI_MODE_NOSTORE = 8, MPI_MODE_NOSUCCEED = 16
};
enum {
  MPI_MODE_CREATE = 1, MPI_MODE_RDONLY = 2, MPI_MODE_WRONLY = 4, MPI_MODE_RDWR =
  8, MPI_MODE_DELETE_ON_CLOSE = 16, MPI_MODE_UNIQUE_OPEN = 32, MPI_MODE_EXCL =
  64, MPI_MODE_APPEND = 128, MPI_MODE_SEQUENTIAL = 256
};
enum {
  MPI_SEEK_SET = 600, MPI_SEEK_CUR = 602, MPI_SEEK_END = 604
};
enum {
  MPI_TAG_UB = 1, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE,
  MPI_APPNUM, MPI_LASTUSEDCODE, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT,
  MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL
};
/* What MPI_Type_get_envelope answers. */
enum {
  MPI_COMBINER_NAMED = 1, MPI_COMBINER_DUP, MPI_COMBINER_CONTIGUOUS,
  MPI_COMBINER_VECTOR, MPI_COMBINER_HVECTOR_INTEGER, MPI_COMBINER_HVECTOR,
  MPI_COMBINER_INDEXED, MPI_COMBINER_HINDEXED_INTEGER, MPI_COMBINER_HINDEXED,
  MPI_COMBINER_INDEXED_BLOCK, MPI_COMBINER_HINDEXED_BLOCK,
  MPI_COMBINER_STRUCT_INTEGER, MPI_COMBINER_STRUCT, MPI_COMBINER_SUBARRAY,
  MPI_COMBINER_DARRAY, MPI_COMBINER_F90_REAL, MPI_COMBINER_F90_COMPLEX,
  MPI_COMBINER_F90_INTEGER, MPI_COMBINER_RESIZED
};

/* --- errors --- */

enum {
  MPI_SUCCESS = 0, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG,
  MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST, MPI_ERR_ROOT, MPI_ERR_GROUP,
  MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN,
  MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_IN_STATUS,
  MPI_ERR_PENDING, MPI_ERR_ACCESS, MPI_ERR_AMODE, MPI_ERR_ASSERT,
  MPI_ERR_BAD_FILE, MPI_ERR_BASE, MPI_ERR_CONVERSION, MPI_ERR_DISP,
  MPI_ERR_DUP_DATAREP, MPI_ERR_FILE_EXISTS, MPI_ERR_FILE_IN_USE, MPI_ERR_FILE,
  MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY, MPI_ERR_INFO_VALUE, MPI_ERR_INFO,
  MPI_ERR_IO, MPI_ERR_KEYVAL, MPI_ERR_LOCKTYPE, MPI_ERR_NAME, MPI_ERR_NO_MEM,
  MPI_ERR_NOT_SAME, MPI_ERR_NO_SPACE, MPI_ERR_NO_SUCH_FILE, MPI_ERR_PORT,
  MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_SYNC,
  MPI_ERR_SERVICE, MPI_ERR_SIZE, MPI_ERR_SPAWN, MPI_ERR_UNSUPPORTED_DATAREP,
  MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_WIN, MPI_ERR_RMA_RANGE,
  MPI_ERR_RMA_ATTACH, MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_SHARED, MPI_T_ERR_MEMORY,
  MPI_T_ERR_NOT_INITIALIZED, MPI_T_ERR_CANNOT_INIT, MPI_T_ERR_INVALID_INDEX,
  MPI_T_ERR_INVALID_ITEM, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_OUT_OF_HANDLES,
  MPI_T_ERR_OUT_OF_SESSIONS, MPI_T_ERR_INVALID_SESSION,
  MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_CVAR_SET_NEVER,
  MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_ERR_PVAR_NO_WRITE,
  MPI_T_ERR_PVAR_NO_ATOMIC, MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID,
  MPI_ERR_LASTCODE = 1000
};

/* --- performance variables --- */

enum {
  MPI_T_VERBOSITY_USER_BASIC = 1, MPI_T_VERBOSITY_USER_DETAIL,
  MPI_T_VERBOSITY_USER_ALL, MPI_T_VERBOSITY_TUNER_BASIC,
  MPI_T_VERBOSITY_TUNER_DETAIL, MPI_T_VERBOSITY_TUNER_ALL,
  MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL,
  MPI_T_VERBOSITY_MPIDEV_ALL
};
enum {
  MPI_T_BIND_NO_OBJECT = 1, MPI_T_BIND_MPI_COMM, MPI_T_BIND_MPI_DATATYPE,
  MPI_T_BIND_MPI_ERRHANDLER, MPI_T_BIND_MPI_FILE, MPI_T_BIND_MPI_GROUP,
  MPI_T_BIND_MPI_OP, MPI_T_BIND_MPI_REQUEST, MPI_T_BIND_MPI_WIN,
  MPI_T_BIND_MPI_MESSAGE, MPI_T_BIND_MPI_INFO
};
enum {
  MPI_T_SCOPE_CONSTANT = 1, MPI_T_SCOPE_READONLY, MPI_T_SCOPE_LOCAL,
  MPI_T_SCOPE_GROUP, MPI_T_SCOPE_GROUP_EQ, MPI_T_SCOPE_ALL, MPI_T_SCOPE_ALL_EQ
};
enum {
  MPI_T_PVAR_CLASS_STATE = 1, MPI_T_PVAR_CLASS_LEVEL, MPI_T_PVAR_CLASS_SIZE,
  MPI_T_PVAR_CLASS_PERCENTAGE, MPI_T_PVAR_CLASS_HIGHWATERMARK,
  MPI_T_PVAR_CLASS_LOWWATERMARK, MPI_T_PVAR_CLASS_COUNTER,
  MPI_T_PVAR_CLASS_AGGREGATE, MPI_T_PVAR_CLASS_TIMER, MPI_T_PVAR_CLASS_GENERIC
};

/* --- functions ---
 * Each under its two names, the second for those who put something between. */

#define HEDDLE_MPI(result, name, parameters)                                   \
  result MPI_##name parameters;                                                \
  result PMPI_##name parameters;

/* sending and receiving */
HEDDLE_MPI(int, Send, (const void *buf, int count, MPI_Datatype type, int dest,
                       int tag, MPI_Comm comm))
HEDDLE_MPI(int, Bsend, (const void *buf, int count, MPI_Datatype type, int dest,
                        int tag, MPI_Comm comm))
HEDDLE_MPI(int, Ssend, (const void *buf, int count, MPI_Datatype type, int dest,
                        int tag, MPI_Comm comm))
HEDDLE_MPI(int, Rsend, (const void *buf, int count, MPI_Datatype type, int dest,
                        int tag, MPI_Comm comm))
HEDDLE_MPI(int, Recv, (void *buf, int count, MPI_Datatype type, int source, int
                       tag, MPI_Comm comm, MPI_Status *status))
HEDDLE_MPI(int, Get_count, (const MPI_Status *status, MPI_Datatype type, int
                            *count))
HEDDLE_MPI(int, Buffer_attach, (void *buffer, int size))
HEDDLE_MPI(int, Buffer_detach, (void *buffer, int *size))
HEDDLE_MPI(int, Isend, (const void *buf, int count, MPI_Datatype type, int dest,
                        int tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Ibsend, (const void *buf, int count, MPI_Datatype type, int
                         dest, int tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Issend, (const void *buf, int count, MPI_Datatype type, int
                         dest, int tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Irsend, (const void *buf, int count, MPI_Datatype type, int
                         dest, int tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Irecv, (void *buf, int count, MPI_Datatype type, int source, int
                        tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Wait, (MPI_Request *request, MPI_Status *status))
HEDDLE_MPI(int, Test, (MPI_Request *request, int *flag, MPI_Status *status))
HEDDLE_MPI(int, Request_free, (MPI_Request *request))
HEDDLE_MPI(int, Waitany, (int count, MPI_Request requests[], int *index,
                          MPI_Status *status))
HEDDLE_MPI(int, Testany, (int count, MPI_Request requests[], int *index, int
                          *flag, MPI_Status *status))
HEDDLE_MPI(int, Waitall, (int count, MPI_Request requests[], MPI_Status
                          statuses[]))
HEDDLE_MPI(int, Testall, (int count, MPI_Request requests[], int *flag,
                          MPI_Status statuses[]))
HEDDLE_MPI(int, Waitsome, (int incount, MPI_Request requests[], int *outcount,
                           int indices[], MPI_Status statuses[]))
HEDDLE_MPI(int, Testsome, (int incount, MPI_Request requests[], int *outcount,
                           int indices[], MPI_Status statuses[]))
HEDDLE_MPI(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status
                                     *status))
HEDDLE_MPI(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag,
                         MPI_Status *status))
HEDDLE_MPI(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
HEDDLE_MPI(int, Improbe, (int source, int tag, MPI_Comm comm, int *flag,
                          MPI_Message *message, MPI_Status *status))
HEDDLE_MPI(int, Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message
                         *message, MPI_Status *status))
HEDDLE_MPI(int, Mrecv, (void *buf, int count, MPI_Datatype type, MPI_Message
                        *message, MPI_Status *status))
HEDDLE_MPI(int, Imrecv, (void *buf, int count, MPI_Datatype type, MPI_Message
                         *message, MPI_Request *request))
HEDDLE_MPI(int, Cancel, (MPI_Request *request))
HEDDLE_MPI(int, Test_cancelled, (const MPI_Status *status, int *flag))
HEDDLE_MPI(int, Send_init, (const void *buf, int count, MPI_Datatype type, int
                            dest, int tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Bsend_init, (const void *buf, int count, MPI_Datatype type, int
                             dest, int tag, MPI_Comm comm, MPI_Request
                             *request))
HEDDLE_MPI(int, Ssend_init, (const void *buf, int count, MPI_Datatype type, int
                             dest, int tag, MPI_Comm comm, MPI_Request
                             *request))
HEDDLE_MPI(int, Rsend_init, (const void *buf, int count, MPI_Datatype type, int
                             dest, int tag, MPI_Comm comm, MPI_Request
                             *request))
HEDDLE_MPI(int, Recv_init, (void *buf, int count, MPI_Datatype type, int source,
                            int tag, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Start, (MPI_Request *request))
HEDDLE_MPI(int, Startall, (int count, MPI_Request requests[]))
HEDDLE_MPI(int, Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype
                           sendtype, int dest, int sendtag, void *recvbuf, int
                           recvcount, MPI_Datatype recvtype, int source, int
                           recvtag, MPI_Comm comm, MPI_Status *status))
HEDDLE_MPI(int, Sendrecv_replace, (void *buf, int count, MPI_Datatype type, int
                                   dest, int sendtag, int source, int recvtag,
                                   MPI_Comm comm, MPI_Status *status))

/* datatypes */
HEDDLE_MPI(int, Type_contiguous, (int count, MPI_Datatype oldtype, MPI_Datatype
                                  *newtype))
HEDDLE_MPI(int, Type_vector, (int count, int blocklength, int stride,
                              MPI_Datatype oldtype, MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_create_hvector, (int count, int blocklength, MPI_Aint
                                      stride, MPI_Datatype oldtype, MPI_Datatype
                                      *newtype))
HEDDLE_MPI(int, Type_indexed, (int count, const int blocklengths[], const int
                               displs[], MPI_Datatype oldtype, MPI_Datatype
                               *newtype))
HEDDLE_MPI(int, Type_create_hindexed, (int count, const int blocklengths[],
                                       const MPI_Aint displs[], MPI_Datatype
                                       oldtype, MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_create_indexed_block, (int count, int blocklength, const
                                            int displs[], MPI_Datatype oldtype,
                                            MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_create_hindexed_block, (int count, int blocklength, const
                                             MPI_Aint displs[], MPI_Datatype
                                             oldtype, MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_create_struct, (int count, const int blocklengths[], const
                                     MPI_Aint displs[], const MPI_Datatype
                                     types[], MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_create_subarray, (int ndims, const int sizes[], const int
                                       subsizes[], const int starts[], int
                                       order, MPI_Datatype oldtype, MPI_Datatype
                                       *newtype))
HEDDLE_MPI(int, Type_create_darray, (int size, int rank, int ndims, const int
                                     gsizes[], const int distribs[], const int
                                     dargs[], const int psizes[], int order,
                                     MPI_Datatype oldtype, MPI_Datatype
                                     *newtype))
HEDDLE_MPI(int, Type_create_resized, (MPI_Datatype oldtype, MPI_Aint lb,
                                      MPI_Aint extent, MPI_Datatype *newtype))
HEDDLE_MPI(int, Get_address, (const void *location, MPI_Aint *address))
HEDDLE_MPI(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint disp))
HEDDLE_MPI(MPI_Aint, Aint_diff, (MPI_Aint addr1, MPI_Aint addr2))
HEDDLE_MPI(int, Type_size, (MPI_Datatype type, int *size))
HEDDLE_MPI(int, Type_size_x, (MPI_Datatype type, MPI_Count *size))
HEDDLE_MPI(int, Type_commit, (MPI_Datatype *type))
HEDDLE_MPI(int, Type_free, (MPI_Datatype *type))
HEDDLE_MPI(int, Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_get_extent, (MPI_Datatype type, MPI_Aint *lb, MPI_Aint
                                  *extent))
HEDDLE_MPI(int, Type_get_extent_x, (MPI_Datatype type, MPI_Count *lb, MPI_Count
                                    *extent))
HEDDLE_MPI(int, Type_get_true_extent, (MPI_Datatype type, MPI_Aint *lb, MPI_Aint
                                       *extent))
HEDDLE_MPI(int, Type_get_true_extent_x, (MPI_Datatype type, MPI_Count *lb,
                                         MPI_Count *extent))
HEDDLE_MPI(int, Get_elements, (const MPI_Status *status, MPI_Datatype type, int
                               *count))
HEDDLE_MPI(int, Get_elements_x, (const MPI_Status *status, MPI_Datatype type,
                                 MPI_Count *count))
HEDDLE_MPI(int, Type_get_envelope, (MPI_Datatype type, int *integers, int
                                    *addresses, int *datatypes, int *combiner))
HEDDLE_MPI(int, Type_get_contents, (MPI_Datatype type, int max_integers, int
                                    max_addresses, int max_datatypes, int
                                    integers[], MPI_Aint addresses[],
                                    MPI_Datatype datatypes[]))
HEDDLE_MPI(int, Pack, (const void *inbuf, int incount, MPI_Datatype type, void
                       *outbuf, int outsize, int *position, MPI_Comm comm))
HEDDLE_MPI(int, Unpack, (const void *inbuf, int insize, int *position, void
                         *outbuf, int outcount, MPI_Datatype type, MPI_Comm
                         comm))
HEDDLE_MPI(int, Pack_size, (int incount, MPI_Datatype type, MPI_Comm comm, int
                            *size))
HEDDLE_MPI(int, Pack_external, (const char datarep[], const void *inbuf, int
                                incount, MPI_Datatype type, void *outbuf,
                                MPI_Aint outsize, MPI_Aint *position))
HEDDLE_MPI(int, Unpack_external, (const char datarep[], const void *inbuf,
                                  MPI_Aint insize, MPI_Aint *position, void
                                  *outbuf, int outcount, MPI_Datatype type))
HEDDLE_MPI(int, Pack_external_size, (const char datarep[], int incount,
                                     MPI_Datatype type, MPI_Aint *size))
HEDDLE_MPI(int, Type_create_f90_real, (int precision, int range, MPI_Datatype
                                       *newtype))
HEDDLE_MPI(int, Type_create_f90_complex, (int precision, int range, MPI_Datatype
                                          *newtype))
HEDDLE_MPI(int, Type_create_f90_integer, (int range, MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_match_size, (int typeclass, int size, MPI_Datatype *type))

/* collective operations */
HEDDLE_MPI(int, Barrier, (MPI_Comm comm))
HEDDLE_MPI(int, Bcast, (void *buf, int count, MPI_Datatype type, int root,
                        MPI_Comm comm))
HEDDLE_MPI(int, Gather, (const void *sendbuf, int sendcount, MPI_Datatype
                         sendtype, void *recvbuf, int recvcount, MPI_Datatype
                         recvtype, int root, MPI_Comm comm))
HEDDLE_MPI(int, Gatherv, (const void *sendbuf, int sendcount, MPI_Datatype
                          sendtype, void *recvbuf, const int recvcounts[], const
                          int displs[], MPI_Datatype recvtype, int root,
                          MPI_Comm comm))
HEDDLE_MPI(int, Scatter, (const void *sendbuf, int sendcount, MPI_Datatype
                          sendtype, void *recvbuf, int recvcount, MPI_Datatype
                          recvtype, int root, MPI_Comm comm))
HEDDLE_MPI(int, Scatterv, (const void *sendbuf, const int sendcounts[], const
                           int displs[], MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root,
                           MPI_Comm comm))
HEDDLE_MPI(int, Allgather, (const void *sendbuf, int sendcount, MPI_Datatype
                            sendtype, void *recvbuf, int recvcount, MPI_Datatype
                            recvtype, MPI_Comm comm))
HEDDLE_MPI(int, Allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype
                             sendtype, void *recvbuf, const int recvcounts[],
                             const int displs[], MPI_Datatype recvtype, MPI_Comm
                             comm))
HEDDLE_MPI(int, Alltoall, (const void *sendbuf, int sendcount, MPI_Datatype
                           sendtype, void *recvbuf, int recvcount, MPI_Datatype
                           recvtype, MPI_Comm comm))
HEDDLE_MPI(int, Alltoallv, (const void *sendbuf, const int sendcounts[], const
                            int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                            const int recvcounts[], const int rdispls[],
                            MPI_Datatype recvtype, MPI_Comm comm))
HEDDLE_MPI(int, Alltoallw, (const void *sendbuf, const int sendcounts[], const
                            int sdispls[], const MPI_Datatype sendtypes[], void
                            *recvbuf, const int recvcounts[], const int
                            rdispls[], const MPI_Datatype recvtypes[], MPI_Comm
                            comm))
HEDDLE_MPI(int, Reduce, (const void *sendbuf, void *recvbuf, int count,
                         MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm))
HEDDLE_MPI(int, Allreduce, (const void *sendbuf, void *recvbuf, int count,
                            MPI_Datatype type, MPI_Op op, MPI_Comm comm))
HEDDLE_MPI(int, Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int
                                       recvcount, MPI_Datatype type, MPI_Op op,
                                       MPI_Comm comm))
HEDDLE_MPI(int, Reduce_scatter, (const void *sendbuf, void *recvbuf, const int
                                 recvcounts[], MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm))
HEDDLE_MPI(int, Scan, (const void *sendbuf, void *recvbuf, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm))
HEDDLE_MPI(int, Exscan, (const void *sendbuf, void *recvbuf, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm))
HEDDLE_MPI(int, Ibarrier, (MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Ibcast, (void *buf, int count, MPI_Datatype type, int root,
                         MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Igather, (const void *sendbuf, int sendcount, MPI_Datatype
                          sendtype, void *recvbuf, int recvcount, MPI_Datatype
                          recvtype, int root, MPI_Comm comm, MPI_Request
                          *request))
HEDDLE_MPI(int, Igatherv, (const void *sendbuf, int sendcount, MPI_Datatype
                           sendtype, void *recvbuf, const int recvcounts[],
                           const int displs[], MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Iscatter, (const void *sendbuf, int sendcount, MPI_Datatype
                           sendtype, void *recvbuf, int recvcount, MPI_Datatype
                           recvtype, int root, MPI_Comm comm, MPI_Request
                           *request))
HEDDLE_MPI(int, Iscatterv, (const void *sendbuf, const int sendcounts[], const
                            int displs[], MPI_Datatype sendtype, void *recvbuf,
                            int recvcount, MPI_Datatype recvtype, int root,
                            MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Iallgather, (const void *sendbuf, int sendcount, MPI_Datatype
                             sendtype, void *recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
                             *request))
HEDDLE_MPI(int, Iallgatherv, (const void *sendbuf, int sendcount, MPI_Datatype
                              sendtype, void *recvbuf, const int recvcounts[],
                              const int displs[], MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Ialltoall, (const void *sendbuf, int sendcount, MPI_Datatype
                            sendtype, void *recvbuf, int recvcount, MPI_Datatype
                            recvtype, MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Ialltoallv, (const void *sendbuf, const int sendcounts[], const
                             int sdispls[], MPI_Datatype sendtype, void
                             *recvbuf, const int recvcounts[], const int
                             rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request *request))
HEDDLE_MPI(int, Ialltoallw, (const void *sendbuf, const int sendcounts[], const
                             int sdispls[], const MPI_Datatype sendtypes[], void
                             *recvbuf, const int recvcounts[], const int
                             rdispls[], const MPI_Datatype recvtypes[], MPI_Comm
                             comm, MPI_Request *request))
HEDDLE_MPI(int, Ireduce, (const void *sendbuf, void *recvbuf, int count,
                          MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                          MPI_Request *request))
HEDDLE_MPI(int, Iallreduce, (const void *sendbuf, void *recvbuf, int count,
                             MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                             MPI_Request *request))
HEDDLE_MPI(int, Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int
                                        recvcount, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int
                                  recvcounts[], MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Request *request))
HEDDLE_MPI(int, Iscan, (const void *sendbuf, void *recvbuf, int count,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request
                        *request))
HEDDLE_MPI(int, Iexscan, (const void *sendbuf, void *recvbuf, int count,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                          MPI_Request *request))
HEDDLE_MPI(int, Reduce_local, (const void *inbuf, void *inoutbuf, int count,
                               MPI_Datatype type, MPI_Op op))
HEDDLE_MPI(int, Op_create, (MPI_User_function *function, int commute, MPI_Op
                            *op))
HEDDLE_MPI(int, Op_free, (MPI_Op *op))
HEDDLE_MPI(int, Op_commutative, (MPI_Op op, int *commute))

/* groups and communicators */
HEDDLE_MPI(int, Group_size, (MPI_Group group, int *size))
HEDDLE_MPI(int, Group_rank, (MPI_Group group, int *rank))
HEDDLE_MPI(int, Group_translate_ranks, (MPI_Group group1, int n, const int
                                        ranks1[], MPI_Group group2, int
                                        ranks2[]))
HEDDLE_MPI(int, Group_compare, (MPI_Group group1, MPI_Group group2, int
                                *result))
HEDDLE_MPI(int, Comm_group, (MPI_Comm comm, MPI_Group *group))
HEDDLE_MPI(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group
                              *newgroup))
HEDDLE_MPI(int, Group_intersection, (MPI_Group group1, MPI_Group group2,
                                     MPI_Group *newgroup))
HEDDLE_MPI(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group
                                   *newgroup))
HEDDLE_MPI(int, Group_incl, (MPI_Group group, int n, const int ranks[],
                             MPI_Group *newgroup))
HEDDLE_MPI(int, Group_excl, (MPI_Group group, int n, const int ranks[],
                             MPI_Group *newgroup))
HEDDLE_MPI(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3],
                                   MPI_Group *newgroup))
HEDDLE_MPI(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3],
                                   MPI_Group *newgroup))
HEDDLE_MPI(int, Group_free, (MPI_Group *group))
HEDDLE_MPI(int, Comm_size, (MPI_Comm comm, int *size))
HEDDLE_MPI(int, Comm_rank, (MPI_Comm comm, int *rank))
HEDDLE_MPI(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
HEDDLE_MPI(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm))
HEDDLE_MPI(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm
                                     *newcomm))
HEDDLE_MPI(int, Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request
                            *request))
HEDDLE_MPI(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm
                              *newcomm))
HEDDLE_MPI(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag,
                                    MPI_Comm *newcomm))
HEDDLE_MPI(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm
                             *newcomm))
HEDDLE_MPI(int, Comm_split_type, (MPI_Comm comm, int split_type, int key,
                                  MPI_Info info, MPI_Comm *newcomm))
HEDDLE_MPI(int, Comm_free, (MPI_Comm *comm))
HEDDLE_MPI(int, Comm_set_info, (MPI_Comm comm, MPI_Info info))
HEDDLE_MPI(int, Comm_get_info, (MPI_Comm comm, MPI_Info *info))
HEDDLE_MPI(int, Comm_test_inter, (MPI_Comm comm, int *flag))
HEDDLE_MPI(int, Comm_remote_size, (MPI_Comm comm, int *size))
HEDDLE_MPI(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
HEDDLE_MPI(int, Intercomm_create, (MPI_Comm local_comm, int local_leader,
                                   MPI_Comm peer_comm, int remote_leader, int
                                   tag, MPI_Comm *newintercomm))
HEDDLE_MPI(int, Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm
                                  *newintracomm))
HEDDLE_MPI(int, Comm_create_keyval, (MPI_Comm_copy_attr_function *copy,
                                     MPI_Comm_delete_attr_function *remove, int
                                     *keyval, void *extra_state))
HEDDLE_MPI(int, Comm_free_keyval, (int *keyval))
HEDDLE_MPI(int, Comm_set_attr, (MPI_Comm comm, int keyval, void *value))
HEDDLE_MPI(int, Comm_get_attr, (MPI_Comm comm, int keyval, void *value, int
                                *flag))
HEDDLE_MPI(int, Comm_delete_attr, (MPI_Comm comm, int keyval))
HEDDLE_MPI(int, Comm_set_name, (MPI_Comm comm, const char *name))
HEDDLE_MPI(int, Comm_get_name, (MPI_Comm comm, char *name, int *length))
HEDDLE_MPI(int, Type_create_keyval, (MPI_Type_copy_attr_function *copy,
                                     MPI_Type_delete_attr_function *remove, int
                                     *keyval, void *extra_state))
HEDDLE_MPI(int, Type_free_keyval, (int *keyval))
HEDDLE_MPI(int, Type_set_attr, (MPI_Datatype type, int keyval, void *value))
HEDDLE_MPI(int, Type_get_attr, (MPI_Datatype type, int keyval, void *value, int
                                *flag))
HEDDLE_MPI(int, Type_delete_attr, (MPI_Datatype type, int keyval))
HEDDLE_MPI(int, Type_set_name, (MPI_Datatype type, const char *name))
HEDDLE_MPI(int, Type_get_name, (MPI_Datatype type, char *name, int *length))
HEDDLE_MPI(int, Win_create_keyval, (MPI_Win_copy_attr_function *copy,
                                    MPI_Win_delete_attr_function *remove, int
                                    *keyval, void *extra_state))
HEDDLE_MPI(int, Win_free_keyval, (int *keyval))
HEDDLE_MPI(int, Win_set_attr, (MPI_Win win, int keyval, void *value))
HEDDLE_MPI(int, Win_get_attr, (MPI_Win win, int keyval, void *value, int *flag))
HEDDLE_MPI(int, Win_delete_attr, (MPI_Win win, int keyval))
HEDDLE_MPI(int, Win_set_name, (MPI_Win win, const char *name))
HEDDLE_MPI(int, Win_get_name, (MPI_Win win, char *name, int *length))

/* topologies */
HEDDLE_MPI(int, Cart_create, (MPI_Comm comm, int ndims, const int dims[], const
                              int periods[], int reorder, MPI_Comm *newcomm))
HEDDLE_MPI(int, Dims_create, (int nnodes, int ndims, int dims[]))
HEDDLE_MPI(int, Graph_create, (MPI_Comm comm, int nnodes, const int index[],
                               const int edges[], int reorder, MPI_Comm
                               *newcomm))
HEDDLE_MPI(int, Dist_graph_create_adjacent, (MPI_Comm comm, int indegree, const
                                             int sources[], const int
                                             sourceweights[], int outdegree,
                                             const int destinations[], const int
                                             destweights[], MPI_Info info, int
                                             reorder, MPI_Comm *newcomm))
HEDDLE_MPI(int, Dist_graph_create, (MPI_Comm comm, int n, const int sources[],
                                    const int degrees[], const int
                                    destinations[], const int weights[],
                                    MPI_Info info, int reorder, MPI_Comm
                                    *newcomm))
HEDDLE_MPI(int, Topo_test, (MPI_Comm comm, int *status))
HEDDLE_MPI(int, Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges))
HEDDLE_MPI(int, Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int
                            index[], int edges[]))
HEDDLE_MPI(int, Cartdim_get, (MPI_Comm comm, int *ndims))
HEDDLE_MPI(int, Cart_get, (MPI_Comm comm, int maxdims, int dims[], int
                           periods[], int coords[]))
HEDDLE_MPI(int, Cart_rank, (MPI_Comm comm, const int coords[], int *rank))
HEDDLE_MPI(int, Cart_coords, (MPI_Comm comm, int rank, int maxdims, int
                              coords[]))
HEDDLE_MPI(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int
                                        *nneighbors))
HEDDLE_MPI(int, Graph_neighbors, (MPI_Comm comm, int rank, int maxneighbors, int
                                  neighbors[]))
HEDDLE_MPI(int, Dist_graph_neighbors_count, (MPI_Comm comm, int *indegree, int
                                             *outdegree, int *weighted))
HEDDLE_MPI(int, Dist_graph_neighbors, (MPI_Comm comm, int maxindegree, int
                                       sources[], int sourceweights[], int
                                       maxoutdegree, int destinations[], int
                                       destweights[]))
HEDDLE_MPI(int, Cart_shift, (MPI_Comm comm, int direction, int disp, int
                             *source, int *dest))
HEDDLE_MPI(int, Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm
                           *newcomm))
HEDDLE_MPI(int, Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int
                           periods[], int *newrank))
HEDDLE_MPI(int, Graph_map, (MPI_Comm comm, int nnodes, const int index[], const
                            int edges[], int *newrank))
HEDDLE_MPI(int, Neighbor_allgather, (const void *sendbuf, int sendcount,
                                     MPI_Datatype sendtype, void *recvbuf, int
                                     recvcount, MPI_Datatype recvtype, MPI_Comm
                                     comm))
HEDDLE_MPI(int, Neighbor_allgatherv, (const void *sendbuf, int sendcount,
                                      MPI_Datatype sendtype, void *recvbuf,
                                      const int recvcounts[], const int
                                      displs[], MPI_Datatype recvtype, MPI_Comm
                                      comm))
HEDDLE_MPI(int, Neighbor_alltoall, (const void *sendbuf, int sendcount,
                                    MPI_Datatype sendtype, void *recvbuf, int
                                    recvcount, MPI_Datatype recvtype, MPI_Comm
                                    comm))
HEDDLE_MPI(int, Neighbor_alltoallv, (const void *sendbuf, const int
                                     sendcounts[], const int sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const
                                     int recvcounts[], const int rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm))
HEDDLE_MPI(int, Neighbor_alltoallw, (const void *sendbuf, const int
                                     sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void
                                     *recvbuf, const int recvcounts[], const
                                     MPI_Aint rdispls[], const MPI_Datatype
                                     recvtypes[], MPI_Comm comm))
HEDDLE_MPI(int, Ineighbor_allgather, (const void *sendbuf, int sendcount,
                                      MPI_Datatype sendtype, void *recvbuf, int
                                      recvcount, MPI_Datatype recvtype, MPI_Comm
                                      comm, MPI_Request *request))
HEDDLE_MPI(int, Ineighbor_allgatherv, (const void *sendbuf, int sendcount,
                                       MPI_Datatype sendtype, void *recvbuf,
                                       const int recvcounts[], const int
                                       displs[], MPI_Datatype recvtype, MPI_Comm
                                       comm, MPI_Request *request))
HEDDLE_MPI(int, Ineighbor_alltoall, (const void *sendbuf, int sendcount,
                                     MPI_Datatype sendtype, void *recvbuf, int
                                     recvcount, MPI_Datatype recvtype, MPI_Comm
                                     comm, MPI_Request *request))
HEDDLE_MPI(int, Ineighbor_alltoallv, (const void *sendbuf, const int
                                      sendcounts[], const int sdispls[],
                                      MPI_Datatype sendtype, void *recvbuf,
                                      const int recvcounts[], const int
                                      rdispls[], MPI_Datatype recvtype, MPI_Comm
                                      comm, MPI_Request *request))
HEDDLE_MPI(int, Ineighbor_alltoallw, (const void *sendbuf, const int
                                      sendcounts[], const MPI_Aint sdispls[],
                                      const MPI_Datatype sendtypes[], void
                                      *recvbuf, const int recvcounts[], const
                                      MPI_Aint rdispls[], const MPI_Datatype
                                      recvtypes[], MPI_Comm comm, MPI_Request
                                      *request))

/* environment */
HEDDLE_MPI(int, Init, (int *argc, char ***argv))
HEDDLE_MPI(int, Init_thread, (int *argc, char ***argv, int required, int
                              *provided))
HEDDLE_MPI(int, Finalize, (void))
HEDDLE_MPI(int, Initialized, (int *flag))
HEDDLE_MPI(int, Finalized, (int *flag))
HEDDLE_MPI(int, Abort, (MPI_Comm comm, int errorcode))
HEDDLE_MPI(int, Query_thread, (int *provided))
HEDDLE_MPI(int, Is_thread_main, (int *flag))
HEDDLE_MPI(int, Get_version, (int *version, int *subversion))
HEDDLE_MPI(int, Get_library_version, (char *version, int *length))
HEDDLE_MPI(int, Get_processor_name, (char *name, int *length))
HEDDLE_MPI(double, Wtime, (void))
HEDDLE_MPI(double, Wtick, (void))
HEDDLE_MPI(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *base))
HEDDLE_MPI(int, Free_mem, (void *base))
HEDDLE_MPI(int, Comm_create_errhandler, (MPI_Comm_errhandler_function *function,
                                         MPI_Errhandler *errhandler))
HEDDLE_MPI(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler))
HEDDLE_MPI(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler
                                      *errhandler))
HEDDLE_MPI(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode))
HEDDLE_MPI(int, Win_create_errhandler, (MPI_Win_errhandler_function *function,
                                        MPI_Errhandler *errhandler))
HEDDLE_MPI(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler))
HEDDLE_MPI(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler))
HEDDLE_MPI(int, Win_call_errhandler, (MPI_Win win, int errorcode))
HEDDLE_MPI(int, File_create_errhandler, (MPI_File_errhandler_function *function,
                                         MPI_Errhandler *errhandler))
HEDDLE_MPI(int, File_set_errhandler, (MPI_File file, MPI_Errhandler errhandler))
HEDDLE_MPI(int, File_get_errhandler, (MPI_File file, MPI_Errhandler
                                      *errhandler))
HEDDLE_MPI(int, File_call_errhandler, (MPI_File file, int errorcode))
HEDDLE_MPI(int, Errhandler_free, (MPI_Errhandler *errhandler))
HEDDLE_MPI(int, Error_string, (int errorcode, char *string, int *length))
HEDDLE_MPI(int, Error_class, (int errorcode, int *errorclass))
HEDDLE_MPI(int, Add_error_class, (int *errorclass))
HEDDLE_MPI(int, Add_error_code, (int errorclass, int *errorcode))
HEDDLE_MPI(int, Add_error_string, (int errorcode, const char *string))
HEDDLE_MPI(int, Pcontrol, (const int level, ...))
HEDDLE_MPI(int, Info_create, (MPI_Info *info))
HEDDLE_MPI(int, Info_set, (MPI_Info info, const char *key, const char *value))
HEDDLE_MPI(int, Info_delete, (MPI_Info info, const char *key))
HEDDLE_MPI(int, Info_get, (MPI_Info info, const char *key, int length, char
                           *value, int *flag))
HEDDLE_MPI(int, Info_get_valuelen, (MPI_Info info, const char *key, int *length,
                                    int *flag))
HEDDLE_MPI(int, Info_get_nkeys, (MPI_Info info, int *nkeys))
HEDDLE_MPI(int, Info_get_nthkey, (MPI_Info info, int n, char *key))
HEDDLE_MPI(int, Info_dup, (MPI_Info info, MPI_Info *newinfo))
HEDDLE_MPI(int, Info_free, (MPI_Info *info))
HEDDLE_MPI(int, Grequest_start, (MPI_Grequest_query_function *query,
                                 MPI_Grequest_free_function *release,
                                 MPI_Grequest_cancel_function *cancel, void
                                 *extra_state, MPI_Request *request))
HEDDLE_MPI(int, Grequest_complete, (MPI_Request request))
HEDDLE_MPI(int, Status_set_elements, (MPI_Status *status, MPI_Datatype type, int
                                      count))
HEDDLE_MPI(int, Status_set_elements_x, (MPI_Status *status, MPI_Datatype type,
                                        MPI_Count count))
HEDDLE_MPI(int, Status_set_cancelled, (MPI_Status *status, int flag))

/* processes */
HEDDLE_MPI(int, Comm_spawn, (const char *command, char *argv[], int maxprocs,
                             MPI_Info info, int root, MPI_Comm comm, MPI_Comm
                             *intercomm, int errcodes[]))
HEDDLE_MPI(int, Comm_spawn_multiple, (int count, char *commands[], char
                                      **argvs[], const int maxprocs[], const
                                      MPI_Info infos[], int root, MPI_Comm comm,
                                      MPI_Comm *intercomm, int errcodes[]))
HEDDLE_MPI(int, Comm_get_parent, (MPI_Comm *parent))
HEDDLE_MPI(int, Open_port, (MPI_Info info, char *port))
HEDDLE_MPI(int, Close_port, (const char *port))
HEDDLE_MPI(int, Comm_accept, (const char *port, MPI_Info info, int root,
                              MPI_Comm comm, MPI_Comm *newcomm))
HEDDLE_MPI(int, Comm_connect, (const char *port, MPI_Info info, int root,
                               MPI_Comm comm, MPI_Comm *newcomm))
HEDDLE_MPI(int, Publish_name, (const char *service, MPI_Info info, const char
                               *port))
HEDDLE_MPI(int, Unpublish_name, (const char *service, MPI_Info info, const char
                                 *port))
HEDDLE_MPI(int, Lookup_name, (const char *service, MPI_Info info, char *port))
HEDDLE_MPI(int, Comm_disconnect, (MPI_Comm *comm))
HEDDLE_MPI(int, Comm_join, (int fd, MPI_Comm *intercomm))

/* one-sided communication */
HEDDLE_MPI(int, Win_create, (void *base, MPI_Aint size, int disp_unit, MPI_Info
                             info, MPI_Comm comm, MPI_Win *win))
HEDDLE_MPI(int, Win_allocate, (MPI_Aint size, int disp_unit, MPI_Info info,
                               MPI_Comm comm, void *base, MPI_Win *win))
HEDDLE_MPI(int, Win_allocate_shared, (MPI_Aint size, int disp_unit, MPI_Info
                                      info, MPI_Comm comm, void *base, MPI_Win
                                      *win))
HEDDLE_MPI(int, Win_shared_query, (MPI_Win win, int rank, MPI_Aint *size, int
                                   *disp_unit, void *base))
HEDDLE_MPI(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win
                                     *win))
HEDDLE_MPI(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size))
HEDDLE_MPI(int, Win_detach, (MPI_Win win, const void *base))
HEDDLE_MPI(int, Win_free, (MPI_Win *win))
HEDDLE_MPI(int, Win_get_group, (MPI_Win win, MPI_Group *group))
HEDDLE_MPI(int, Win_set_info, (MPI_Win win, MPI_Info info))
HEDDLE_MPI(int, Win_get_info, (MPI_Win win, MPI_Info *info))
HEDDLE_MPI(int, Put, (const void *origin, int origin_count, MPI_Datatype
                      origin_type, int target_rank, MPI_Aint target_disp, int
                      target_count, MPI_Datatype target_type, MPI_Win win))
HEDDLE_MPI(int, Get, (void *origin, int origin_count, MPI_Datatype origin_type,
                      int target_rank, MPI_Aint target_disp, int target_count,
                      MPI_Datatype target_type, MPI_Win win))
HEDDLE_MPI(int, Accumulate, (const void *origin, int origin_count, MPI_Datatype
                             origin_type, int target_rank, MPI_Aint target_disp,
                             int target_count, MPI_Datatype target_type, MPI_Op
                             op, MPI_Win win))
HEDDLE_MPI(int, Get_accumulate, (const void *origin, int origin_count,
                                 MPI_Datatype origin_type, void *result, int
                                 result_count, MPI_Datatype result_type, int
                                 target_rank, MPI_Aint target_disp, int
                                 target_count, MPI_Datatype target_type, MPI_Op
                                 op, MPI_Win win))
HEDDLE_MPI(int, Fetch_and_op, (const void *origin, void *result, MPI_Datatype
                               type, int target_rank, MPI_Aint target_disp,
                               MPI_Op op, MPI_Win win))
HEDDLE_MPI(int, Compare_and_swap, (const void *origin, const void *compare, void
                                   *result, MPI_Datatype type, int target_rank,
                                   MPI_Aint target_disp, MPI_Win win))
HEDDLE_MPI(int, Rput, (const void *origin, int origin_count, MPI_Datatype
                       origin_type, int target_rank, MPI_Aint target_disp, int
                       target_count, MPI_Datatype target_type, MPI_Win win,
                       MPI_Request *request))
HEDDLE_MPI(int, Rget, (void *origin, int origin_count, MPI_Datatype origin_type,
                       int target_rank, MPI_Aint target_disp, int target_count,
                       MPI_Datatype target_type, MPI_Win win, MPI_Request
                       *request))
HEDDLE_MPI(int, Raccumulate, (const void *origin, int origin_count, MPI_Datatype
                              origin_type, int target_rank, MPI_Aint
                              target_disp, int target_count, MPI_Datatype
                              target_type, MPI_Op op, MPI_Win win, MPI_Request
                              *request))
HEDDLE_MPI(int, Rget_accumulate, (const void *origin, int origin_count,
                                  MPI_Datatype origin_type, void *result, int
                                  result_count, MPI_Datatype result_type, int
                                  target_rank, MPI_Aint target_disp, int
                                  target_count, MPI_Datatype target_type, MPI_Op
                                  op, MPI_Win win, MPI_Request *request))
HEDDLE_MPI(int, Win_fence, (int assertion, MPI_Win win))
HEDDLE_MPI(int, Win_start, (MPI_Group group, int assertion, MPI_Win win))
HEDDLE_MPI(int, Win_complete, (MPI_Win win))
HEDDLE_MPI(int, Win_post, (MPI_Group group, int assertion, MPI_Win win))
HEDDLE_MPI(int, Win_wait, (MPI_Win win))
HEDDLE_MPI(int, Win_test, (MPI_Win win, int *flag))
HEDDLE_MPI(int, Win_lock, (int lock_type, int rank, int assertion, MPI_Win win))
HEDDLE_MPI(int, Win_lock_all, (int assertion, MPI_Win win))
HEDDLE_MPI(int, Win_unlock, (int rank, MPI_Win win))
HEDDLE_MPI(int, Win_unlock_all, (MPI_Win win))
HEDDLE_MPI(int, Win_flush, (int rank, MPI_Win win))
HEDDLE_MPI(int, Win_flush_all, (MPI_Win win))
HEDDLE_MPI(int, Win_flush_local, (int rank, MPI_Win win))
HEDDLE_MPI(int, Win_flush_local_all, (MPI_Win win))
HEDDLE_MPI(int, Win_sync, (MPI_Win win))

/* files */
HEDDLE_MPI(int, File_open, (MPI_Comm comm, const char *name, int amode, MPI_Info
                            info, MPI_File *file))
HEDDLE_MPI(int, File_close, (MPI_File *file))
HEDDLE_MPI(int, File_delete, (const char *name, MPI_Info info))
HEDDLE_MPI(int, File_set_size, (MPI_File file, MPI_Offset size))
HEDDLE_MPI(int, File_preallocate, (MPI_File file, MPI_Offset size))
HEDDLE_MPI(int, File_get_size, (MPI_File file, MPI_Offset *size))
HEDDLE_MPI(int, File_get_group, (MPI_File file, MPI_Group *group))
HEDDLE_MPI(int, File_get_amode, (MPI_File file, int *amode))
HEDDLE_MPI(int, File_set_info, (MPI_File file, MPI_Info info))
HEDDLE_MPI(int, File_get_info, (MPI_File file, MPI_Info *info))
HEDDLE_MPI(int, File_set_view, (MPI_File file, MPI_Offset disp, MPI_Datatype
                                etype, MPI_Datatype filetype, const char
                                *datarep, MPI_Info info))
HEDDLE_MPI(int, File_get_view, (MPI_File file, MPI_Offset *disp, MPI_Datatype
                                *etype, MPI_Datatype *filetype, char *datarep))
HEDDLE_MPI(int, File_read_at, (MPI_File file, MPI_Offset offset, void *buf, int
                               count, MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_read_at_all, (MPI_File file, MPI_Offset offset, void *buf,
                                   int count, MPI_Datatype type, MPI_Status
                                   *status))
HEDDLE_MPI(int, File_iread_at, (MPI_File file, MPI_Offset offset, void *buf, int
                                count, MPI_Datatype type, MPI_Request *request))
HEDDLE_MPI(int, File_iread_at_all, (MPI_File file, MPI_Offset offset, void *buf,
                                    int count, MPI_Datatype type, MPI_Request
                                    *request))
HEDDLE_MPI(int, File_read, (MPI_File file, void *buf, int count, MPI_Datatype
                            type, MPI_Status *status))
HEDDLE_MPI(int, File_read_all, (MPI_File file, void *buf, int count,
                                MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_read_shared, (MPI_File file, void *buf, int count,
                                   MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_read_ordered, (MPI_File file, void *buf, int count,
                                    MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_iread, (MPI_File file, void *buf, int count, MPI_Datatype
                             type, MPI_Request *request))
HEDDLE_MPI(int, File_iread_all, (MPI_File file, void *buf, int count,
                                 MPI_Datatype type, MPI_Request *request))
HEDDLE_MPI(int, File_iread_shared, (MPI_File file, void *buf, int count,
                                    MPI_Datatype type, MPI_Request *request))
HEDDLE_MPI(int, File_read_at_all_begin, (MPI_File file, MPI_Offset offset, void
                                         *buf, int count, MPI_Datatype type))
HEDDLE_MPI(int, File_read_at_all_end, (MPI_File file, void *buf, MPI_Status
                                       *status))
HEDDLE_MPI(int, File_read_all_begin, (MPI_File file, void *buf, int count,
                                      MPI_Datatype type))
HEDDLE_MPI(int, File_read_all_end, (MPI_File file, void *buf, MPI_Status
                                    *status))
HEDDLE_MPI(int, File_read_ordered_begin, (MPI_File file, void *buf, int count,
                                          MPI_Datatype type))
HEDDLE_MPI(int, File_read_ordered_end, (MPI_File file, void *buf, MPI_Status
                                        *status))
HEDDLE_MPI(int, File_write_at, (MPI_File file, MPI_Offset offset, const void
                                *buf, int count, MPI_Datatype type, MPI_Status
                                *status))
HEDDLE_MPI(int, File_write_at_all, (MPI_File file, MPI_Offset offset, const void
                                    *buf, int count, MPI_Datatype type,
                                    MPI_Status *status))
HEDDLE_MPI(int, File_iwrite_at, (MPI_File file, MPI_Offset offset, const void
                                 *buf, int count, MPI_Datatype type, MPI_Request
                                 *request))
HEDDLE_MPI(int, File_iwrite_at_all, (MPI_File file, MPI_Offset offset, const
                                     void *buf, int count, MPI_Datatype type,
                                     MPI_Request *request))
HEDDLE_MPI(int, File_write, (MPI_File file, const void *buf, int count,
                             MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_write_all, (MPI_File file, const void *buf, int count,
                                 MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_write_shared, (MPI_File file, const void *buf, int count,
                                    MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_write_ordered, (MPI_File file, const void *buf, int count,
                                     MPI_Datatype type, MPI_Status *status))
HEDDLE_MPI(int, File_iwrite, (MPI_File file, const void *buf, int count,
                              MPI_Datatype type, MPI_Request *request))
HEDDLE_MPI(int, File_iwrite_all, (MPI_File file, const void *buf, int count,
                                  MPI_Datatype type, MPI_Request *request))
HEDDLE_MPI(int, File_iwrite_shared, (MPI_File file, const void *buf, int count,
                                     MPI_Datatype type, MPI_Request *request))
HEDDLE_MPI(int, File_write_at_all_begin, (MPI_File file, MPI_Offset offset,
                                          const void *buf, int count,
                                          MPI_Datatype type))
HEDDLE_MPI(int, File_write_at_all_end, (MPI_File file, const void *buf,
                                        MPI_Status *status))
HEDDLE_MPI(int, File_write_all_begin, (MPI_File file, const void *buf, int
                                       count, MPI_Datatype type))
HEDDLE_MPI(int, File_write_all_end, (MPI_File file, const void *buf, MPI_Status
                                     *status))
HEDDLE_MPI(int, File_write_ordered_begin, (MPI_File file, const void *buf, int
                                           count, MPI_Datatype type))
HEDDLE_MPI(int, File_write_ordered_end, (MPI_File file, const void *buf,
                                         MPI_Status *status))
HEDDLE_MPI(int, File_seek, (MPI_File file, MPI_Offset offset, int whence))
HEDDLE_MPI(int, File_get_position, (MPI_File file, MPI_Offset *offset))
HEDDLE_MPI(int, File_get_byte_offset, (MPI_File file, MPI_Offset offset,
                                       MPI_Offset *disp))
HEDDLE_MPI(int, File_seek_shared, (MPI_File file, MPI_Offset offset, int
                                   whence))
HEDDLE_MPI(int, File_get_position_shared, (MPI_File file, MPI_Offset *offset))
HEDDLE_MPI(int, File_get_type_extent, (MPI_File file, MPI_Datatype type,
                                       MPI_Aint *extent))
HEDDLE_MPI(int, Register_datarep, (const char *datarep,
                                   MPI_Datarep_conversion_function *read,
                                   MPI_Datarep_conversion_function *write,
                                   MPI_Datarep_extent_function *extent, void
                                   *extra_state))
HEDDLE_MPI(int, File_set_atomicity, (MPI_File file, int flag))
HEDDLE_MPI(int, File_get_atomicity, (MPI_File file, int *flag))
HEDDLE_MPI(int, File_sync, (MPI_File file))

/* Fortran handles */
HEDDLE_MPI(MPI_Fint, Comm_c2f, (MPI_Comm handle))
HEDDLE_MPI(MPI_Comm, Comm_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Group_c2f, (MPI_Group handle))
HEDDLE_MPI(MPI_Group, Group_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Type_c2f, (MPI_Datatype handle))
HEDDLE_MPI(MPI_Datatype, Type_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Request_c2f, (MPI_Request handle))
HEDDLE_MPI(MPI_Request, Request_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Op_c2f, (MPI_Op handle))
HEDDLE_MPI(MPI_Op, Op_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Win_c2f, (MPI_Win handle))
HEDDLE_MPI(MPI_Win, Win_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, File_c2f, (MPI_File handle))
HEDDLE_MPI(MPI_File, File_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Info_c2f, (MPI_Info handle))
HEDDLE_MPI(MPI_Info, Info_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Errhandler_c2f, (MPI_Errhandler handle))
HEDDLE_MPI(MPI_Errhandler, Errhandler_f2c, (MPI_Fint handle))
HEDDLE_MPI(MPI_Fint, Message_c2f, (MPI_Message handle))
HEDDLE_MPI(MPI_Message, Message_f2c, (MPI_Fint handle))
HEDDLE_MPI(int, Status_c2f, (const MPI_Status *from, MPI_Fint *to))
HEDDLE_MPI(int, Status_f2c, (const MPI_Fint *from, MPI_Status *to))

/* performance variables */
HEDDLE_MPI(int, T_init_thread, (int required, int *provided))
HEDDLE_MPI(int, T_finalize, (void))
HEDDLE_MPI(int, T_enum_get_info, (MPI_T_enum enumtype, int *num, char *name, int
                                  *name_len))
HEDDLE_MPI(int, T_enum_get_item, (MPI_T_enum enumtype, int index, int *value,
                                  char *name, int *name_len))
HEDDLE_MPI(int, T_cvar_get_num, (int *num))
HEDDLE_MPI(int, T_cvar_get_info, (int index, char *name, int *name_len, int
                                  *verbosity, MPI_Datatype *type, MPI_T_enum
                                  *enumtype, char *desc, int *desc_len, int
                                  *bind, int *scope))
HEDDLE_MPI(int, T_cvar_get_index, (const char *name, int *index))
HEDDLE_MPI(int, T_cvar_handle_alloc, (int index, void *object, MPI_T_cvar_handle
                                      *handle, int *count))
HEDDLE_MPI(int, T_cvar_handle_free, (MPI_T_cvar_handle *handle))
HEDDLE_MPI(int, T_cvar_read, (MPI_T_cvar_handle handle, void *buf))
HEDDLE_MPI(int, T_cvar_write, (MPI_T_cvar_handle handle, const void *buf))
HEDDLE_MPI(int, T_pvar_get_num, (int *num))
HEDDLE_MPI(int, T_pvar_get_info, (int index, char *name, int *name_len, int
                                  *verbosity, int *var_class, MPI_Datatype
                                  *type, MPI_T_enum *enumtype, char *desc, int
                                  *desc_len, int *bind, int *readonly, int
                                  *continuous, int *atomic))
HEDDLE_MPI(int, T_pvar_get_index, (const char *name, int var_class, int *index))
HEDDLE_MPI(int, T_pvar_session_create, (MPI_T_pvar_session *session))
HEDDLE_MPI(int, T_pvar_session_free, (MPI_T_pvar_session *session))
HEDDLE_MPI(int, T_pvar_handle_alloc, (MPI_T_pvar_session session, int index,
                                      void *object, MPI_T_pvar_handle *handle,
                                      int *count))
HEDDLE_MPI(int, T_pvar_handle_free, (MPI_T_pvar_session session,
                                     MPI_T_pvar_handle *handle))
HEDDLE_MPI(int, T_pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle
                               handle))
HEDDLE_MPI(int, T_pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle
                              handle))
HEDDLE_MPI(int, T_pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle
                              handle, void *buf))
HEDDLE_MPI(int, T_pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle
                               handle, const void *buf))
HEDDLE_MPI(int, T_pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle
                               handle))
HEDDLE_MPI(int, T_pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle
                                   handle, void *buf))
HEDDLE_MPI(int, T_category_get_num, (int *num))
HEDDLE_MPI(int, T_category_get_info, (int index, char *name, int *name_len, char
                                      *desc, int *desc_len, int *num_cvars, int
                                      *num_pvars, int *num_categories))
HEDDLE_MPI(int, T_category_get_index, (const char *name, int *index))
HEDDLE_MPI(int, T_category_get_cvars, (int index, int len, int indices[]))
HEDDLE_MPI(int, T_category_get_pvars, (int index, int len, int indices[]))
HEDDLE_MPI(int, T_category_get_categories, (int index, int len, int indices[]))
HEDDLE_MPI(int, T_category_changed, (int *stamp))

/* gone from MPI 3, still met in programs */
HEDDLE_MPI(int, Address, (void *location, MPI_Aint *address))
HEDDLE_MPI(int, Type_extent, (MPI_Datatype type, MPI_Aint *extent))
HEDDLE_MPI(int, Type_lb, (MPI_Datatype type, MPI_Aint *disp))
HEDDLE_MPI(int, Type_ub, (MPI_Datatype type, MPI_Aint *disp))
HEDDLE_MPI(int, Type_hvector, (int count, int blocklength, MPI_Aint stride,
                               MPI_Datatype oldtype, MPI_Datatype *newtype))
HEDDLE_MPI(int, Type_hindexed, (int count, int blocklengths[], MPI_Aint
                                displs[], MPI_Datatype oldtype, MPI_Datatype
                                *newtype))
HEDDLE_MPI(int, Type_struct, (int count, int blocklengths[], MPI_Aint displs[],
                              MPI_Datatype types[], MPI_Datatype *newtype))
HEDDLE_MPI(int, Errhandler_create, (MPI_Handler_function *function,
                                    MPI_Errhandler *errhandler))
HEDDLE_MPI(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler))
HEDDLE_MPI(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler))
HEDDLE_MPI(int, Keyval_create, (MPI_Copy_function *copy, MPI_Delete_function
                                *remove, int *keyval, void *extra_state))
HEDDLE_MPI(int, Keyval_free, (int *keyval))
HEDDLE_MPI(int, Attr_put, (MPI_Comm comm, int keyval, void *value))
HEDDLE_MPI(int, Attr_get, (MPI_Comm comm, int keyval, void *value, int *flag))
HEDDLE_MPI(int, Attr_delete, (MPI_Comm comm, int keyval))

#undef HEDDLE_MPI

#ifdef __cplusplus
}
#endif

#endif
