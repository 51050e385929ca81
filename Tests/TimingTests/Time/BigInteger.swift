/// A signed whole number without bounds, digit by digit in base 10: slow, plain, and nothing like what it checks.
struct BigInteger: Hashable, Comparable {
    var isNegative: Bool
    /// Least significant first, no zeros at the end; empty is 0.
    var digits: [Int]

    init(_ text: String) {
        isNegative = text.hasPrefix("-")
        digits = text.drop { $0 == "-" }.reversed().map { Int(String($0))! }
        trim()
    }

    init(_ number: Int64) { self.init("\(number)") }

    private init(isNegative: Bool, digits: [Int]) {
        self.isNegative = isNegative
        self.digits = digits
        trim()
    }

    private mutating func trim() {
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { isNegative = false }
    }

    var text: String { (isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits.reversed().map(String.init).joined()) }
    var int64: Int64? { Int64(text) }
    var isZero: Bool { digits.isEmpty }
    var isOdd: Bool { (digits.first ?? 0) % 2 == 1 }

    static prefix func - (number: BigInteger) -> BigInteger {
        BigInteger(isNegative: !number.isNegative, digits: number.digits)
    }

    static func + (first: BigInteger, second: BigInteger) -> BigInteger {
        if first.isNegative == second.isNegative {
            return BigInteger(isNegative: first.isNegative, digits: sum(first.digits, second.digits))
        }
        let isFirstLarger = !isLess(first.digits, second.digits)
        let (large, small) = isFirstLarger ? (first, second) : (second, first)
        return BigInteger(isNegative: large.isNegative, digits: difference(large.digits, small.digits))
    }

    static func - (first: BigInteger, second: BigInteger) -> BigInteger { first + -second }

    static func * (first: BigInteger, second: BigInteger) -> BigInteger {
        var digits = Array(repeating: 0, count: first.digits.count + second.digits.count + 1)
        for (i, a) in first.digits.enumerated() {
            for (j, b) in second.digits.enumerated() { digits[i + j] += a * b }
        }
        for i in digits.indices.dropLast() {
            digits[i + 1] += digits[i] / 10
            digits[i] %= 10
        }
        return BigInteger(isNegative: first.isNegative != second.isNegative, digits: digits)
    }

    static func < (first: BigInteger, second: BigInteger) -> Bool { (first - second).isNegative }

    /// Toward zero, by school division.
    func quotientAndRemainder(dividingBy divisor: BigInteger) -> (quotient: BigInteger, remainder: BigInteger) {
        let size = BigInteger(isNegative: false, digits: divisor.digits)
        var (quotient, rest) = ([Int](), BigInteger(isNegative: false, digits: []))
        for digit in digits.reversed() {
            rest = BigInteger(isNegative: false, digits: [digit] + rest.digits)
            var count = 0
            while rest >= size {
                rest = rest - size
                count += 1
            }
            quotient.append(count)
        }
        return (
            BigInteger(isNegative: isNegative != divisor.isNegative, digits: quotient.reversed()),
            BigInteger(isNegative: isNegative, digits: rest.digits)
        )
    }

    private static func isLess(_ first: [Int], _ second: [Int]) -> Bool {
        if first.count != second.count { return first.count < second.count }
        return first.reversed().lexicographicallyPrecedes(second.reversed())
    }

    private static func sum(_ first: [Int], _ second: [Int]) -> [Int] {
        var (digits, carry) = ([Int](), 0)
        for i in 0..<max(first.count, second.count) + 1 {
            let total = (i < first.count ? first[i] : 0) + (i < second.count ? second[i] : 0) + carry
            digits.append(total % 10)
            carry = total / 10
        }
        return digits
    }

    private static func difference(_ large: [Int], _ small: [Int]) -> [Int] {
        var (digits, borrow) = ([Int](), 0)
        for i in large.indices {
            let rest = large[i] - (i < small.count ? small[i] : 0) - borrow
            digits.append((rest + 10) % 10)
            borrow = rest < 0 ? 1 : 0
        }
        return digits
    }
}
