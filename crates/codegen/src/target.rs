//! Targets of machine code.

use inkwell::OptimizationLevel;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine,
};
use llvm_sys::support::LLVMParseCommandLineOptions;
use weft_target::Processor;

/// A processor, as far as code depends on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// LLVM's triple.
    pub triple: String,
    /// LLVM's name of the processor.
    pub cpu: String,
    /// LLVM's list of features.
    pub features: String,
    /// Facts of the processor.
    pub processor: Processor,
}

/// Whose instructions machine code uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cpu {
    /// This machine's.
    #[default]
    Native,
    /// Those of every processor with AVX2 and FMA.
    Avx2,
    /// Those of every processor with AVX-512 (x86-64-v4).
    Avx512,
}

/// Features that AVX-512 code uses.
const AVX512: [&str; 4] = ["+avx512f", "+avx512bw", "+avx512dq", "+avx512vl"];

impl Target {
    /// This machine; an error on one without AVX2 and FMA.
    pub fn host() -> Result<Target, String> {
        let features = TargetMachine::get_host_cpu_features().to_string();
        let has = |feature: &str| features.split(',').any(|f| f == feature);
        if !has("+avx2") || !has("+fma") {
            return Err("this processor lacks AVX2 or FMA, which Weft's code needs".into());
        }
        Ok(Target {
            triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
            cpu: TargetMachine::get_host_cpu_name().to_string(),
            processor: if AVX512.into_iter().all(has) {
                Processor::AVX512
            } else {
                Processor::AVX2
            },
            features,
        })
    }

    /// The target of a processor, to look at its code on any machine. An error only for the
    /// machine itself, where it is not supported.
    pub fn of(cpu: Cpu) -> Result<Target, String> {
        match cpu {
            Cpu::Native => Target::host(),
            Cpu::Avx2 => Ok(Target::avx2()),
            Cpu::Avx512 => Ok(Target::avx512()),
        }
    }

    /// The target of a processor, whose code this machine runs.
    pub fn runnable(cpu: Cpu) -> Result<Target, String> {
        let (host, target) = (Target::host()?, Target::of(cpu)?);
        if target.processor.vector_bytes <= host.processor.vector_bytes {
            Ok(target)
        } else {
            Err("this processor lacks AVX-512, for which code was asked for".into())
        }
    }

    /// Any x86-64 Linux machine with AVX2 and FMA.
    pub fn avx2() -> Target {
        Target {
            triple: "x86_64-unknown-linux-gnu".into(),
            cpu: "x86-64-v3".into(),
            features: String::new(),
            processor: Processor::AVX2,
        }
    }

    /// Any x86-64 Linux machine with AVX-512, as x86-64-v4 has it.
    pub fn avx512() -> Target {
        Target { cpu: "x86-64-v4".into(), processor: Processor::AVX512, ..Target::avx2() }
    }

    /// LLVM's description of the target.
    pub(crate) fn machine(&self, level: OptimizationLevel) -> Result<TargetMachine, String> {
        LlvmTarget::initialize_x86(&InitializationConfig::default());
        set_options();
        let triple = inkwell::targets::TargetTriple::create(&self.triple);
        let target = LlvmTarget::from_triple(&triple).map_err(|e| e.to_string())?;
        target
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                level,
                RelocMode::PIC,
                CodeModel::Default,
            )
            .ok_or_else(|| format!("LLVM makes no code for {} on {}", self.cpu, self.triple))
    }
}

/// Options of LLVM's code generation for the whole process: no loop strength reduction of
/// its own. It takes a third of the time that machine code takes, and few loops gain from
/// it: those that do have it among their passes (`compile`).
fn set_options() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let args = [c"weft".as_ptr(), c"-disable-lsr".as_ptr()];
        let count = i32::try_from(args.len()).expect("two");
        // SAFETY: the strings are static and end with 0; no other thread reads the options,
        // since all machines are made behind this call.
        unsafe { LLVMParseCommandLineOptions(count, args.as_ptr(), std::ptr::null()) };
    });
}
