//! Images, channels first. In a file the channels of a pixel stand together.

use super::array::Wanted;
use super::{room_for, unreadable, wrong};
use ::png::{BitDepth, ColorType, Decoder, Encoder, Limits, Transformations};
use std::io::{self, BufReader, Write};
use std::path::Path;
use weft_host::Refused;
use weft_scalar::{FileOp, Scalar, ScalarType};
use weft_tensor::Array;

/// The numbers of channels that images are written with.
pub(super) const CHANNELS: &[usize] = &[1, 3, 4];

/// Bytes that a decoder takes besides the pixels.
const DECODER: u64 = 16 << 20;

/// An image as `u8`, or as `u16` where these are stated and the file has them.
pub(super) fn load(path: &Path, wanted: &Wanted<'_>) -> Result<Array, Refused> {
    let fail = |e: ::png::DecodingError| wrong(path, &format!("it is no PNG image ({e})"));
    let file = weft_runtime::open_regular(path).map_err(|e| unreadable(path, &e))?;
    let limit = usize::try_from(wanted.limit().saturating_add(DECODER)).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(BufReader::new(file), Limits { bytes: limit });
    let info = decoder.read_header_info().map_err(fail)?;
    // A pixel takes a byte at least, so the largest images are told before anything is decoded.
    room_for(u64::from(info.width) * u64::from(info.height), wanted.limit(), path)?;
    let wide = info.bit_depth == BitDepth::Sixteen && wanted.elem() == ScalarType::U16;
    let mut change = Transformations::EXPAND;
    if !wide {
        change |= Transformations::STRIP_16;
    }
    decoder.set_transformations(change);
    let mut reader = decoder.read_info().map_err(fail)?;
    let (color, depth) = reader.output_color_type();
    let (width, height) = reader.info().size();
    let stored = color.samples();
    // Grey with transparency has no tensor of its own: it becomes colours with it.
    let channels = if color == ColorType::GrayscaleAlpha { 4 } else { stored };
    let elem = if depth == BitDepth::Sixteen { ScalarType::U16 } else { ScalarType::U8 };
    let shape = [channels, height as usize, width as usize];
    wanted.admit(path, elem, &shape)?;
    let bytes = reader.output_buffer_size();
    let bytes = bytes.ok_or_else(|| wrong(path, "it has more pixels than memory can hold"))?;
    room_for(bytes as u64, wanted.limit(), path)?;
    let mut pixels = vec![0; bytes];
    reader.next_frame(&mut pixels).map_err(fail)?;
    let source = |c: usize| if channels == stored { c } else { usize::from(c == 3) };
    Ok(wanted.take(planes(&pixels, elem, shape, (stored, &source))))
}

/// Pixels of `stored` samples as a tensor, each channel from the sample that is its source.
fn planes(
    pixels: &[u8],
    elem: ScalarType,
    shape: [usize; 3],
    (stored, source): (usize, &dyn Fn(usize) -> usize),
) -> Array {
    let [channels, height, width] = shape;
    let places = (0..channels).flat_map(|c| (0..height * width).map(move |p| (c, p)));
    let sample = |(c, p): (usize, usize)| p * stored + source(c);
    let made = match elem {
        ScalarType::U16 => {
            let (words, _) = pixels.as_chunks::<2>();
            let all = places.map(|place| u16::from_be_bytes(words[sample(place)])).collect();
            Array::from_vec::<u16>(shape.to_vec(), all)
        }
        _ => {
            let all = places.map(|place| pixels[sample(place)]).collect();
            Array::from_vec::<u8>(shape.to_vec(), all)
        }
    };
    made.expect("as many samples as the extents say")
}

/// An image to be written: its samples, pixel by pixel.
pub(super) struct Image {
    pub channels: usize,
    pub height: u32,
    pub width: u32,
    /// Whether a sample takes two bytes, the first of which weighs most.
    pub wide: bool,
    pub bytes: Vec<u8>,
}

impl Image {
    /// A tensor `[c, h, w]`, `[h, w]` of `u8`, `u16`, or of floats in 0..1; a failure of others.
    pub fn new(op: FileOp, array: &Array, channels: &[usize]) -> Result<Image, Refused> {
        let fail = |why: String| Refused::Failed(format!("`{}` {why}", op.name()));
        let (count, height, width) = match *array.shape() {
            [h, w] => (1, h, w),
            [c, h, w] if channels.contains(&c) => (c, h, w),
            ref other => {
                let wanted: Vec<String> = channels.iter().map(usize::to_string).collect();
                let wanted = wanted.join(", ");
                return Err(fail(format!(
                    "writes images [c, h, w] with c one of {wanted}, or [h, w], and this has the extents {other:?}"
                )));
            }
        };
        let size = |n: usize| u32::try_from(n).ok().filter(|n| *n > 0);
        let (Some(h), Some(w)) = (size(height), size(width)) else {
            return Err(fail(format!("writes no image of {height} by {width} pixels")));
        };
        let wide = array.elem() == ScalarType::U16;
        let mut bytes = Vec::with_capacity(array.len() * if wide { 2 } else { 1 });
        for pixel in 0..height * width {
            for channel in 0..count {
                sample(array.get(channel * height * width + pixel), &mut bytes).map_err(fail)?;
            }
        }
        Ok(Image { channels: count, height: h, width: w, wide, bytes })
    }
}

/// A number as a sample; the reason where it is none.
fn sample(x: Scalar, out: &mut Vec<u8>) -> Result<(), String> {
    match (x, x.as_f64()) {
        (Scalar::U8(v), _) => out.push(v),
        (Scalar::U16(v), _) => out.extend(v.to_be_bytes()),
        (x, Some(v)) if x.ty().is_float() && (0.0..=1.0).contains(&v) => {
            out.push((v * 255.0).round_ties_even() as u8);
        }
        (x, _) if x.ty().is_float() => {
            return Err(format!("writes floats from 0 to 1, and one is {}", x.number_text()));
        }
        (x, _) => return Err(format!("writes `u8`, `u16` or floats, and this is {}", x.ty())),
    }
    Ok(())
}

/// Writes an image.
pub(super) fn put(to: &mut impl Write, image: &Image) -> io::Result<()> {
    let mut encoder = Encoder::new(to, image.width, image.height);
    encoder.set_color(match image.channels {
        1 => ColorType::Grayscale,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    });
    encoder.set_depth(if image.wide { BitDepth::Sixteen } else { BitDepth::Eight });
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&image.bytes).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}
