import Media
import Pixels

extension Picture {
    /// Calls `body` with the first three planes.
    func withPlanes(_ body: ([Plane]) -> Void) {
        withPlane(0) { first in
            withPlane(1) { second in
                withPlane(2) { third in body([first.plane, second.plane, third.plane]) }
            }
        }
    }
}

extension MutablePicture {
    /// Calls `body` with the first three planes.
    func withMutablePlanes(_ body: ([MutablePlane]) -> Void) {
        withMutablePlane(0) { first in
            withMutablePlane(1) { second in
                withMutablePlane(2) { third in body([first.plane, second.plane, third.plane]) }
            }
        }
    }
}

extension PlaneView {
    var plane: Plane { Plane(base: base, stride: stride, width: width, height: height) }
}

extension MutablePlaneView {
    var plane: MutablePlane { MutablePlane(base: base, stride: stride, width: width, height: height) }
}
