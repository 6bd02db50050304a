//! The steps of a function as instructions with jumps, for running them without nesting.

use super::{Block, Call, End, Function, Op, Reg, Step};

/// One instruction.
#[derive(Clone, Debug)]
pub(super) enum Instr {
    Set(Reg, Op),
    /// Goes on elsewhere where a condition does not hold.
    Unless(Reg, u32),
    Jump(u32),
    Call(Vec<Reg>, Call),
    Require(Reg, u32),
    Tail(Call),
    Give(Vec<Reg>),
}

/// The instructions of a function.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub instrs: Vec<Instr>,
    pub regs: usize,
}

impl Code {
    pub fn of(f: &Function) -> Code {
        let mut code = Code { instrs: Vec::new(), regs: f.regs.len() };
        code.block(&f.body);
        code
    }

    fn here(&self) -> u32 {
        self.instrs.len() as u32
    }

    /// An instruction whose target is filled in later.
    fn hole(&mut self) -> usize {
        self.instrs.push(Instr::Jump(u32::MAX));
        self.instrs.len() - 1
    }

    fn block(&mut self, block: &Block) {
        self.steps(&block.steps);
        match &block.end {
            End::Give(regs) => self.instrs.push(Instr::Give(regs.clone())),
            End::Call(call) => self.instrs.push(Instr::Tail(call.clone())),
            End::If(c, a, b) => {
                let over = self.hole();
                self.block(a);
                self.instrs[over] = Instr::Unless(*c, self.here());
                self.block(b);
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Set(r, op) => self.instrs.push(Instr::Set(*r, *op)),
                Step::Call(to, call) => {
                    self.instrs.push(Instr::Call(to.clone(), call.clone()));
                }
                Step::Require(r, site) => self.instrs.push(Instr::Require(*r, *site)),
                Step::If(c, a, b) => {
                    let over = self.hole();
                    self.steps(a);
                    let end = self.hole();
                    self.instrs[over] = Instr::Unless(*c, self.here());
                    self.steps(b);
                    self.instrs[end] = Instr::Jump(self.here());
                }
            }
        }
    }
}
