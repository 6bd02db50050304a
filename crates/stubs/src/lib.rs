//! Symbols of other libraries that LLVM refers to and this compiler never reaches: compressed
//! sections of debuggers (zlib, zstd) and calls by LLVM's interpreter (libffi). Defined here, so
//! that what is linked needs none of these libraries where it is installed. Each says that it
//! failed, as the library's own would; a checksum is computed, since it has no way to say so.
//!
//! For the products alone, the command and the extension module. A program of others that has
//! the facade in it may want the real ones, and must not find these in their place.

#![allow(unsafe_code, reason = "symbols of C libraries")]
#![allow(non_snake_case, non_upper_case_globals, reason = "their names")]

use std::ffi::{c_int, c_uint, c_ulong, c_void};

/// `Z_MEM_ERROR`, `FFI_BAD_TYPEDEF`: each library's word for a failure.
const OUT_OF_MEMORY: c_int = -4;
const BAD_TYPE: c_uint = 1;

#[unsafe(no_mangle)]
extern "C" fn compress2(_: *mut u8, _: *mut c_ulong, _: *const u8, _: c_ulong, _: c_int) -> c_int {
    OUT_OF_MEMORY
}

#[unsafe(no_mangle)]
extern "C" fn uncompress(_: *mut u8, _: *mut c_ulong, _: *const u8, _: c_ulong) -> c_int {
    OUT_OF_MEMORY
}

#[unsafe(no_mangle)]
extern "C" fn compressBound(length: c_ulong) -> c_ulong {
    length
}

/// The checksum of zlib (RFC 1952, section 8), going on from `before`.
#[unsafe(no_mangle)]
extern "C" fn crc32(before: c_ulong, bytes: *const u8, length: c_uint) -> c_ulong {
    if bytes.is_null() {
        return 0;
    }
    // SAFETY: the caller of the C function says that so many bytes may be read.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, length as usize) };
    let crc = bytes.iter().fold(!(before as u32), |crc, byte| {
        let shifted = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        (0..8).fold(crc ^ u32::from(*byte), shifted)
    });
    c_ulong::from(!crc)
}

#[unsafe(no_mangle)]
extern "C" fn ZSTD_createCCtx() -> *mut c_void {
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
extern "C" fn ZSTD_freeCCtx(_: *mut c_void) -> usize {
    0
}

#[unsafe(no_mangle)]
extern "C" fn ZSTD_CCtx_setParameter(_: *mut c_void, _: c_int, _: c_int) -> usize {
    usize::MAX
}

#[unsafe(no_mangle)]
extern "C" fn ZSTD_compressBound(length: usize) -> usize {
    length
}

#[unsafe(no_mangle)]
extern "C" fn ZSTD_compress2(
    _: *mut c_void,
    _: *mut c_void,
    _: usize,
    _: *const c_void,
    _: usize,
) -> usize {
    usize::MAX
}

#[unsafe(no_mangle)]
extern "C" fn ZSTD_isError(code: usize) -> c_uint {
    c_uint::from(code == usize::MAX)
}

#[unsafe(no_mangle)]
extern "C" fn ffi_prep_cif(
    _: *mut c_void,
    _: c_uint,
    _: c_uint,
    _: *mut c_void,
    _: *mut *mut c_void,
) -> c_uint {
    BAD_TYPE
}

#[unsafe(no_mangle)]
extern "C" fn ffi_call(_: *mut c_void, _: *mut c_void, _: *mut c_void, _: *mut *mut c_void) {}

/// A type of libffi: its size, its alignment and kind, its members.
#[repr(C)]
struct FfiType {
    size: usize,
    alignment: u16,
    kind: u16,
    members: usize,
}

macro_rules! types {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        static $name: FfiType = FfiType { size: 0, alignment: 0, kind: 0, members: 0 };
    )*};
}

types! {
    ffi_type_double ffi_type_float ffi_type_pointer ffi_type_sint16 ffi_type_sint32
    ffi_type_sint64 ffi_type_sint8 ffi_type_void
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        let text = b"123456789";
        assert_eq!(crc32(0, text.as_ptr(), 9), 0xcbf4_3926);
        let half = crc32(0, text.as_ptr(), 4);
        assert_eq!(crc32(half, text[4..].as_ptr(), 5), 0xcbf4_3926);
    }
}
