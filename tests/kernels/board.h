// A board of ROWS rows and COLS columns, for the kernels that include this file.
#ifndef BOARD_H
#define BOARD_H
#define ROWS 6
#define COLS 10
#define AT(row, col) ((row) * COLS + (col))
#endif
