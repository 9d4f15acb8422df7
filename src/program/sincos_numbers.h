// The numbers of our sine and cosine, for the programs that compute them (sincos.c) and for machine
// code that has them inline.
#ifndef QDOT_PROGRAM_SINCOS_NUMBERS_H
#define QDOT_PROGRAM_SINCOS_NUMBERS_H

// Beyond this the multiple of pi/2 has too many bits for exact products below.
#define LIMIT_BITS INT64_C(0x412E848000000000) // 1e6
// Closer than this to a multiple of pi/2, the three parts of pi/2 do not reach.
#define CLOSE_BITS INT64_C(0x3E70000000000000) // 2^-24

// pi/2 in three parts; the first two have 33 bits, so that n times them is exact for n < 2^20.
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2e037073p-69
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
// Adding it rounds to an integer and leaves that in the low bits.
#define ROUNDER 0x1.8p52

// Minimax on |r| <= pi/4: sin r = r + r^3 S(r^2) to 2^-58, cos r = 1 - r^2/2 + r^4 C(r^2) to 2^-64.
#define S0 -0x1.5555555555549p-3
#define S1 0x1.111111110f87ap-7
#define S2 -0x1.a01a019c11996p-13
#define S3 0x1.71de3577b69c0p-19
#define S4 -0x1.ae5e663a8ea59p-26
#define S5 0x1.5d9300fb26d44p-33
#define C0 0x1.555555555554cp-5
#define C1 -0x1.6c16c16c1517ep-10
#define C2 0x1.a01a019cb1bd7p-16
#define C3 -0x1.27e4f809f0685p-22
#define C4 0x1.1ee9ebe9048f5p-29
#define C5 -0x1.8fae9c60e5a7bp-37

#endif
