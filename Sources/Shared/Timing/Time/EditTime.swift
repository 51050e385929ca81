/// A time as an edit writes it. The form is kept: only a frame rate makes frames and timecode seconds.
public enum EditTime: Sendable, Hashable {
    /// `"1001/30000"`, `"2.5s"`, `"150ms"`: exact seconds.
    case seconds(RationalTime)
    /// `"15f"`: frames of the edit's rate.
    case frames(Int64)
    /// `"00:00:01:12"` or, with drop frame, `"00:00:01;12"`: a label of the edit's rate, from zero.
    case timecode(Timecode)
    /// `"48000@44100"`.
    case samples(Int64, rate: Int)
    /// `"#120"`: frame 120 of a source in presentation order, from 0. Only the source's facts make it a time.
    case frameNumber(Int64)

    /// The exact seconds at `rate`.
    /// - Throws: a ``TimeTextError`` that says in one sentence what is wrong: ``TimeTextError/Rule/overflow``,
    ///   ``TimeTextError/Rule/timecode`` when the label does not exist at `rate`, ``TimeTextError/Rule/frameNumber``
    ///   for a source's frame number.
    public func seconds(at rate: FrameRate) throws(TimeTextError) -> RationalTime {
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

    /// Below zero, in whatever form.
    public var isNegative: Bool {
        switch self {
        case .seconds(let time): time.isNegative
        case .frames(let count), .samples(let count, _), .frameNumber(let count): count < 0
        case .timecode: false
        }
    }

    /// Nothing, in whatever form.
    public var isZero: Bool {
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
    /// In the form in which it was written; reading it gives an equal value.
    public var description: String {
        switch self {
        case .seconds(let time): time.denominator == 1 ? "\(time.numerator)s" : "\(time)"
        case .frames(let count): "\(count)f"
        case .timecode(let timecode): "\(timecode)"
        case .samples(let count, let rate): "\(count)@\(rate)"
        case .frameNumber(let number): "#\(number)"
        }
    }
}
