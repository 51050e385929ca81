// Inner loops over samples, each compiled for several lengths of vectors: Swift has no way to say that.
#include "CVectors.h"

#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2")))
#define FOR_AVX512 __attribute__((target("avx512f")))
#else
#define FOR_AVX2
#define FOR_AVX512
#endif

cut_vectors cut_vectors_supported(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return CUT_VECTORS_AVX512;
    if (__builtin_cpu_supports("avx2")) return CUT_VECTORS_AVX2;
#endif
    return CUT_VECTORS_PLAIN;
}

typedef double eight __attribute__((vector_size(64), aligned(8)));

#define EIGHT(pointer) (*(const eight *)(pointer))
#define TOTAL(s) ((((s)[0] + (s)[4]) + ((s)[2] + (s)[6])) + (((s)[1] + (s)[5]) + ((s)[3] + (s)[7])))

// The outputs of one phase after the other, four at a time: a row of coefficients is read from the nearest cache, and once
// for all four.
#define POLYPHASE(name, attribute)                                                                                     \
    attribute static void name(const double *samples, const double *rows, size_t taps, cut_walk walk, double *output,  \
                               size_t count) {                                                                         \
        const size_t apart = walk.denominator, ahead = walk.sample_step * apart + walk.phase_step;                     \
        for (size_t first = 0; first < count && first < apart; first++) {                                              \
            const double *row = rows + walk.phase * taps, *place = samples + walk.sample;                              \
            size_t index = first;                                                                                      \
            for (; index + 3 * apart < count; index += 4 * apart, place += 4 * ahead) {                                \
                eight a = {0}, b = {0}, c = {0}, d = {0};                                                              \
                for (size_t tap = 0; tap < taps; tap += 8) {                                                           \
                    const eight factors = EIGHT(row + tap);                                                            \
                    a += EIGHT(place + tap) * factors;                                                                 \
                    b += EIGHT(place + ahead + tap) * factors;                                                         \
                    c += EIGHT(place + 2 * ahead + tap) * factors;                                                     \
                    d += EIGHT(place + 3 * ahead + tap) * factors;                                                     \
                }                                                                                                      \
                output[index] = TOTAL(a);                                                                              \
                output[index + apart] = TOTAL(b);                                                                      \
                output[index + 2 * apart] = TOTAL(c);                                                                  \
                output[index + 3 * apart] = TOTAL(d);                                                                  \
            }                                                                                                          \
            for (; index < count; index += apart, place += ahead) {                                                    \
                eight sum = {0};                                                                                       \
                for (size_t tap = 0; tap < taps; tap += 8) sum += EIGHT(place + tap) * EIGHT(row + tap);               \
                output[index] = TOTAL(sum);                                                                            \
            }                                                                                                          \
            walk.sample += walk.sample_step;                                                                           \
            walk.phase += walk.phase_step;                                                                             \
            if (walk.phase >= apart) {                                                                                 \
                walk.phase -= apart;                                                                                   \
                walk.sample++;                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

POLYPHASE(polyphase_plain, )
POLYPHASE(polyphase_avx2, FOR_AVX2)
POLYPHASE(polyphase_avx512, FOR_AVX512)

void cut_polyphase(cut_vectors vectors, const double *samples, const double *rows, size_t taps, cut_walk walk,
                   double *output, size_t count) {
    switch (vectors) {
    case CUT_VECTORS_AVX512: return polyphase_avx512(samples, rows, taps, walk, output, count);
    case CUT_VECTORS_AVX2: return polyphase_avx2(samples, rows, taps, walk, output, count);
    case CUT_VECTORS_PLAIN: return polyphase_plain(samples, rows, taps, walk, output, count);
    }
}

// Adding a half before truncating would round 0.5 − 2⁻⁵⁴ up; what truncation leaves over is exact.
#define ROUND(name, attribute)                                                                                         \
    attribute static void name(const double *samples, double scale, int32_t *output, size_t stride, size_t count) {    \
        const double lowest = -scale, highest = scale - 1;                                                             \
        int32_t rounded[64];                                                                                           \
        for (size_t start = 0; start < count; start += 64) {                                                           \
            const size_t length = count - start < 64 ? count - start : 64;                                             \
            for (size_t index = 0; index < length; index++) {                                                          \
                const double sample = samples[start + index];                                                          \
                double scaled = sample == sample ? sample * scale : 0;                                                 \
                scaled = scaled > highest ? highest : scaled;                                                          \
                scaled = scaled < lowest ? lowest : scaled;                                                            \
                const int32_t whole = (int32_t)scaled;                                                                 \
                const double rest = scaled - (double)whole;                                                            \
                rounded[index] = whole + (rest >= 0.5) - (rest <= -0.5);                                               \
            }                                                                                                          \
            for (size_t index = 0; index < length; index++) output[(start + index) * stride] = rounded[index];         \
        }                                                                                                              \
    }

ROUND(round_plain, )
ROUND(round_avx2, FOR_AVX2)
ROUND(round_avx512, FOR_AVX512)

void cut_round(cut_vectors vectors, const double *samples, double scale, int32_t *output, size_t stride, size_t count) {
    switch (vectors) {
    case CUT_VECTORS_AVX512: return round_avx512(samples, scale, output, stride, count);
    case CUT_VECTORS_AVX2: return round_avx2(samples, scale, output, stride, count);
    case CUT_VECTORS_PLAIN: return round_plain(samples, scale, output, stride, count);
    }
}

static const double inverse_factorials[] = {
    1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333, 0.001388888888888889,
    0.0001984126984126984, 2.48015873015873e-05, 2.7557319223985893e-06, 2.755731922398589e-07,
    2.505210838544172e-08, 2.08767569878681e-09, 1.6059043836821613e-10, 1.1470745597729725e-11,
    7.647163731819816e-13,
};

// Whole doublings by the exponent's bits; what is left over by the series of e^x.
#define GAINS(name, attribute)                                                                                         \
    attribute static void name(double *values, size_t count) {                                                         \
        for (size_t index = 0; index < count; index++) {                                                               \
            double decibels = values[index];                                                                           \
            decibels = decibels > 6000 ? 6000 : decibels;                                                              \
            decibels = decibels < -12000 ? -12000 : decibels;                                                          \
            const double ratio = decibels / 6.020599913201295;                                                         \
            const int32_t whole = (int32_t)ratio;                                                                      \
            const double over = ratio - (double)whole;                                                                 \
            const int32_t doublings = whole + (over >= 0.5) - (over <= -0.5);                                          \
            const double count_of = (double)doublings;                                                                 \
            const double rest = (decibels - count_of * 6.020599913201295) - count_of * 7.832906489260626e-11;          \
            const double x = rest * 0.115129254649702284200899572734218210;                                            \
            double sum = inverse_factorials[15];                                                                       \
            for (int k = 14; k >= 0; k--) sum = sum * x + inverse_factorials[k];                                       \
            const int32_t held = doublings < -1022 ? -1022 : doublings > 1022 ? 1022 : doublings;                      \
            union { uint64_t bits; double value; } power = {(uint64_t)(held + 1023) << 52};                            \
            const double gain = sum * power.value;                                                                     \
            values[index] = doublings < -1022 ? 0 : gain;                                                              \
        }                                                                                                              \
    }

GAINS(gains_plain, )
GAINS(gains_avx2, FOR_AVX2)
GAINS(gains_avx512, FOR_AVX512)

void cut_gains(cut_vectors vectors, double *values, size_t count) {
    switch (vectors) {
    case CUT_VECTORS_AVX512: return gains_avx512(values, count);
    case CUT_VECTORS_AVX2: return gains_avx2(values, count);
    case CUT_VECTORS_PLAIN: return gains_plain(values, count);
    }
}
