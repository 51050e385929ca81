/// A time in the form in which an edit writes it. Frames and timecode become seconds only at a frame rate.
package enum EditTime: Sendable, Hashable {
    /// Exact seconds: `"1001/30000"`, `"2.5s"`, `"150ms"`.
    case seconds(RationalTime)
    /// A number of frames at the edit's rate: `"15f"`.
    case frames(Int64)
    /// A timecode label at the edit's rate, which counts from zero: `"00:00:01:12"`, or `"00:00:01;12"` with drop
    /// frame.
    case timecode(Timecode)
    /// A number of samples at a rate in Hz: `"48000@44100"`.
    case samples(Int64, rate: Int)
    /// The number of a source frame in presentation order, from 0: `"#120"`. Only the facts of the source turn it into
    /// a time.
    case frameNumber(Int64)

    /// The time in exact seconds at `rate`.
    /// - Throws: A ``TimeTextError`` of rule ``TimeTextError/Rule/overflow`` when the time does not fit,
    ///   ``TimeTextError/Rule/timecode`` when the label does not exist at `rate`, or ``TimeTextError/Rule/frameNumber``
    ///   for the number of a source frame.
    package func seconds(at rate: FrameRate) throws(TimeTextError) -> RationalTime {
        do {
            switch self {
            case .seconds(let time): return time
            case .frames(let count): return try rate.time(ofFrame: count)
            case .timecode(let timecode): return try rate.time(ofFrame: timecode.frame(at: rate))
            case .samples(let count, let sampleRate): return try RationalTime(count, Int64(sampleRate))
            case .frameNumber: throw TimeTextError.sourceFrame(self)
            }
        } catch let error as TimeTextError {
            throw error
        } catch {
            throw TimeTextError.overflow("\(self)")
        }
    }

    /// Whether the time is below zero in any of the forms.
    package var isNegative: Bool {
        switch self {
        case .seconds(let time): time.isNegative
        case .frames(let count), .samples(let count, _), .frameNumber(let count): count < 0
        case .timecode: false
        }
    }

    /// Whether the time is zero. A frame number never is: it names a frame.
    package var isZero: Bool {
        switch self {
        case .seconds(let time): time == .zero
        case .frames(let count), .samples(let count, _): count == 0
        case .timecode(let timecode):
            timecode.hours == 0 && timecode.minutes == 0 && timecode.seconds == 0 && timecode.frames == 0
        case .frameNumber: false
        }
    }
}

extension EditTime: CustomStringConvertible {
    /// The time in the form in which it was written; reading the text gives an equal value.
    package var description: String {
        switch self {
        case .seconds(let time): time.denominator == 1 ? "\(time.numerator)s" : "\(time)"
        case .frames(let count): "\(count)f"
        case .timecode(let timecode): "\(timecode)"
        case .samples(let count, let rate): "\(count)@\(rate)"
        case .frameNumber(let number): "#\(number)"
        }
    }
}
