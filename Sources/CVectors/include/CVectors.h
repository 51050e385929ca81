#ifndef CUTFARM_CVECTORS_H
#define CUTFARM_CVECTORS_H

#include <stddef.h>
#include <stdint.h>

/// Vectors that a loop is written for. Each gives the same bits as the others: the same operations in the same order, no
/// multiply fused with an add.
typedef enum {
    /// What every x86-64 processor has; on others what the compiler makes of it.
    CUT_VECTORS_PLAIN = 0,
    CUT_VECTORS_AVX2 = 1,
    CUT_VECTORS_AVX512 = 2,
} cut_vectors;

/// The longest that this processor has.
cut_vectors cut_vectors_supported(void);

/// Where a filter stands: `sample` whole samples and a fraction `phase` / `denominator`; `sample_step` and `phase_step`
/// lead from one output to the next.
typedef struct {
    size_t sample, phase, denominator, sample_step, phase_step;
} cut_walk;

/// output[n] = Σ samples[walk.sample + k] × rows[walk.phase × taps + k], with `walk` n steps on: eight sums side by side, added
/// in pairs at the end.
/// - taps: a multiple of 8.
void cut_polyphase(cut_vectors vectors, const double *samples, const double *rows, size_t taps, cut_walk walk,
                   double *output, size_t count);

/// output[n × stride] = samples[n] × scale, kept between −scale and scale − 1 and rounded, half away from zero; 0 for what is
/// not a number.
/// - scale: a power of two up to 2^31.
void cut_round(cut_vectors vectors, const double *samples, double scale, int32_t *output, size_t stride, size_t count);

/// values[n] = 10^(values[n] / 20): as `ExactMath.gain(decibels:)` in Timing, to the bit.
/// - values: below −12,000 and above 6,000 they count as that.
void cut_gains(cut_vectors vectors, double *values, size_t count);

#endif
