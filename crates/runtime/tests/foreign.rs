//! Foreign memory that cannot be read where it is: what is copied, why, and to what.

#![allow(unsafe_code, reason = "memory of someone else")]

use weft_runtime::{Copied, Foreign};
use weft_scalar::ScalarType;
use weft_tensor::Array;

/// Six numbers, with a view of them.
fn view(
    shape: &[usize],
    change: impl FnOnce(Foreign) -> Foreign,
) -> (Array, Option<Copied>, *const u8) {
    let owner: Vec<i32> = vec![1, 2, 3, 4, 5, 6];
    let address = owner.as_ptr().cast::<u8>();
    // SAFETY: the owner has what the views below look at, and nobody writes it.
    let foreign = unsafe { Foreign::new(address, ScalarType::I32, shape.to_vec(), owner) };
    let (array, why) = change(foreign).array().expect("few numbers");
    (array, why, address)
}

fn numbers(array: &Array) -> &[i32] {
    array.as_slice::<i32>().expect("of i32")
}

#[test]
fn rows_stay_whatever_the_strides_of_single_places() {
    let (array, why, address) = view(&[2, 1, 3], |f| f.strides(vec![12, 999, 4]));
    assert_eq!((why, numbers(&array).as_ptr().cast()), (None, address));
    let (array, why, address) = view(&[6], |f| f);
    assert_eq!((why, numbers(&array).as_ptr().cast()), (None, address));
}

#[test]
fn other_layouts_are_copied() {
    let (transposed, why, _) = view(&[3, 2], |f| f.strides(vec![4, 12]));
    assert_eq!((why, numbers(&transposed)), (Some(Copied::Strides), &[1, 4, 2, 5, 3, 6][..]));
    let (repeated, why, _) = view(&[2, 3], |f| f.strides(vec![0, 4]));
    assert_eq!((why, numbers(&repeated)), (Some(Copied::Strides), &[1, 2, 3, 1, 2, 3][..]));
    let owner: Vec<i32> = vec![1, 2, 3];
    // SAFETY: from the last of three numbers backwards.
    let foreign = unsafe {
        let last = owner.as_ptr().add(2).cast::<u8>();
        Foreign::new(last, ScalarType::I32, vec![3], owner).strides(vec![-4])
    };
    let (reversed, why) = foreign.array().expect("three numbers");
    assert_eq!((why, numbers(&reversed)), (Some(Copied::Strides), &[3, 2, 1][..]));
}

#[test]
fn other_bytes_are_copied() {
    let (swapped, why, _) = view(&[2], Foreign::swapped);
    assert_eq!((why, numbers(&swapped)), (Some(Copied::ByteOrder), &[1 << 24, 2 << 24][..]));
    let owner: Vec<u8> = (0..16).collect();
    let odd = owner.as_ptr() as usize % 4;
    // SAFETY: eight bytes within sixteen.
    let foreign = unsafe {
        let first = owner.as_ptr().add(5 - odd);
        Foreign::new(first, ScalarType::I32, vec![2], owner)
    };
    let (array, why) = foreign.array().expect("two numbers");
    let first = 5 - odd as i32;
    let word = |n: i32| i32::from_ne_bytes([n, n + 1, n + 2, n + 3].map(|b| b as u8));
    assert_eq!(
        (why, numbers(&array)),
        (Some(Copied::Alignment), &[word(first), word(first + 4)][..])
    );
    let owner: Vec<u8> = vec![0, 1, 7];
    // SAFETY: three bytes.
    let foreign = unsafe { Foreign::new(owner.as_ptr(), ScalarType::Bool, vec![3], owner) };
    let (array, why) = foreign.array().expect("three truth values");
    let found = array.as_slice::<bool>().expect("of bool");
    assert_eq!((why, found), (Some(Copied::TruthValues), &[false, true, true][..]));
}

#[test]
fn nothing_is_read_of_no_numbers_and_too_many_are_none() {
    for shape in [vec![0], vec![3, 0, 2]] {
        // SAFETY: there is no element.
        let nothing = unsafe { Foreign::new(std::ptr::null(), ScalarType::F64, shape.clone(), ()) };
        let strides = vec![8; shape.len()];
        let (array, why) = nothing.strides(strides).array().expect("no number");
        assert_eq!((array.len(), array.shape(), why), (0, &shape[..], None));
    }
    // SAFETY: nothing is read of a view that there is no memory for.
    let many = unsafe { Foreign::new(std::ptr::null(), ScalarType::F64, vec![1 << 40; 2], ()) };
    assert!(many.array().is_none());
}
