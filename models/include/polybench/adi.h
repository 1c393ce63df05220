/* SPDX-License-Identifier: MIT */
/* The sizes of a data set, which are not known here (polybench.h). */
