	.file	"weft"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI0_0:
	.quad	0x4071100000000000
.LCPI0_1:
	.quad	0x4010000000000000
.LCPI0_2:
	.quad	0x402c000000000000
.LCPI0_3:
	.quad	0x3fc0000000000000
.LCPI0_4:
	.quad	0x4008000000000000
.LCPI0_5:
	.quad	0x41086a0000000000
.LCPI0_6:
	.quad	0x402e000000000000
.LCPI0_7:
	.quad	0x4020000000000000
.LCPI0_8:
	.quad	0x3ff0000000000000
.LCPI0_9:
	.quad	0x413b15d000000000
	.text
	.p2align	4
	.type	segment0.inner,@function
segment0.inner:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$280, %rsp
	movq	%r8, %r11
	movq	%rsi, %r8
	movq	360(%rsp), %rbx
	movq	352(%rsp), %rbp
	movq	344(%rsp), %rsi
	movq	336(%rsp), %r10
	leaq	-2(%r10), %r14
	leaq	-2(%r9), %r15
	movq	%r15, %rax
	sarq	$63, %rax
	andnq	%r15, %rax, %r12
	movq	%r14, %rax
	sarq	$63, %rax
	andnq	%r14, %rax, %r13
	xorl	%eax, %eax
	cmpq	$16, %rsi
	jl	.LBB0_4
	testq	%rcx, %rcx
	cmovleq	%rax, %rcx
	jle	.LBB0_10
	vcvtsi2sd	%r13, %xmm15, %xmm0
	vmovsd	.LCPI0_6(%rip), %xmm1
	vmulsd	%xmm1, %xmm0, %xmm0
	vmovsd	.LCPI0_4(%rip), %xmm2
	vaddsd	%xmm2, %xmm0, %xmm0
	vcvtusi2sd	%rsi, %xmm15, %xmm3
	vmulsd	%xmm3, %xmm0, %xmm0
	vaddsd	%xmm2, %xmm0, %xmm0
	vmovsd	.LCPI0_7(%rip), %xmm3
	vaddsd	%xmm3, %xmm0, %xmm0
	vaddsd	.LCPI0_8(%rip), %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	movq	%r11, %rax
	sarq	$63, %rax
	andnq	%r11, %rax, %rax
	leaq	(%rax,%rax,8), %rbp
	leaq	-1(%rax,%rax,8), %rax
	shrq	$8, %rax
	incq	%rax
	movq	%r10, %rbx
	xorl	%r10d, %r10d
	testq	%rbp, %rbp
	cmovgq	%rax, %r10
	vcvtsi2sd	%r10, %xmm15, %xmm1
	vmulsd	.LCPI0_9(%rip), %xmm1, %xmm1
	leaq	255(%rsi), %rax
	movq	%rax, %r10
	sarq	$8, %r10
	sarq	$63, %rax
	andnq	%r10, %rax, %rax
	leaq	509(%rbx), %r10
	movq	%r10, %rbp
	sarq	$9, %rbp
	sarq	$63, %r10
	andnq	%rbp, %r10, %r10
	imulq	%rax, %r10
	movq	%r10, %rax
	sarq	$63, %rax
	andnq	%r10, %rax, %rax
	vcvtsi2sd	%rax, %xmm15, %xmm4
	vaddsd	%xmm3, %xmm1, %xmm1
	vmulsd	%xmm4, %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vcvtsi2sd	%r12, %xmm15, %xmm1
	vmulsd	%xmm1, %xmm0, %xmm0
	vaddsd	%xmm2, %xmm0, %xmm0
	vcvtsi2sd	%rcx, %xmm15, %xmm1
	vmulsd	%xmm1, %xmm0, %xmm0
	vucomisd	.LCPI0_5(%rip), %xmm0
	jae	.LBB0_7
	movq	360(%rsp), %rax
	movq	%rax, 72(%rsp)
	movq	352(%rsp), %rax
	movq	%rax, 64(%rsp)
	movq	%rcx, 56(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 40(%rsp)
	movq	%r13, 32(%rsp)
	movq	%r12, 24(%rsp)
	movq	%r15, 16(%rsp)
	movq	%r14, 8(%rsp)
	movq	%rsi, (%rsp)
	movq	%r8, %rsi
	movq	%r11, %rcx
	movq	%r9, %r8
	movq	336(%rsp), %r9
	callq	segment0.parallel
	jmp	.LBB0_11
.LBB0_4:
	testq	%rcx, %rcx
	cmovleq	%rax, %rcx
	jle	.LBB0_10
	movq	%r11, %rax
	sarq	$63, %rax
	andnq	%r11, %rax, %rax
	vcvtsi2sd	%rax, %xmm15, %xmm0
	vmulsd	.LCPI0_0(%rip), %xmm0, %xmm0
	vaddsd	.LCPI0_1(%rip), %xmm0, %xmm0
	vaddsd	.LCPI0_2(%rip), %xmm0, %xmm0
	vcvtsi2sd	%r13, %xmm15, %xmm1
	vmulsd	.LCPI0_3(%rip), %xmm1, %xmm1
	vmulsd	%xmm1, %xmm0, %xmm0
	vmovsd	.LCPI0_4(%rip), %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vcvtsi2sd	%r12, %xmm15, %xmm2
	vmulsd	%xmm2, %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	movq	%rsi, %rax
	sarq	$63, %rax
	andnq	%rsi, %rax, %rax
	vcvtsi2sd	%rax, %xmm15, %xmm2
	vmulsd	%xmm2, %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	vcvtsi2sd	%rcx, %xmm15, %xmm1
	vmulsd	%xmm1, %xmm0, %xmm0
	vucomisd	.LCPI0_5(%rip), %xmm0
	jae	.LBB0_8
	movq	%rbx, 72(%rsp)
	movq	%rbp, 64(%rsp)
	movq	%rcx, 56(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 40(%rsp)
	movq	%r13, 32(%rsp)
	movq	%r12, 24(%rsp)
	movq	%r15, 16(%rsp)
	movq	%r14, 8(%rsp)
	movq	%rsi, (%rsp)
	movq	%r8, %rsi
	movq	%r11, %rcx
	movq	%r9, %r8
	movq	%r10, %r9
	callq	segment0.parallel.1
	jmp	.LBB0_11
.LBB0_7:
	leaq	63(%rcx), %rax
	shrq	$6, %rax
	movq	%rdi, 184(%rsp)
	movq	%r8, 192(%rsp)
	movq	%rdx, 200(%rsp)
	movq	%r11, 208(%rsp)
	movq	%r9, 216(%rsp)
	movq	336(%rsp), %rdx
	movq	%rdx, 224(%rsp)
	movq	%rsi, 232(%rsp)
	movq	%r14, 240(%rsp)
	movq	%r15, 248(%rsp)
	movq	%r12, 256(%rsp)
	movq	%r13, 264(%rsp)
	movq	$0, 272(%rsp)
	leaq	segment0.chunk(%rip), %rsi
	leaq	184(%rsp), %rdi
	movq	%rcx, %rdx
	movq	%rax, %rcx
	movq	360(%rsp), %r8
	callq	*8(%r8)
	jmp	.LBB0_9
.LBB0_8:
	leaq	63(%rcx), %rax
	shrq	$6, %rax
	movq	%rdi, 88(%rsp)
	movq	%r8, 96(%rsp)
	movq	%rdx, 104(%rsp)
	movq	%r11, 112(%rsp)
	movq	%r9, 120(%rsp)
	movq	%r10, 128(%rsp)
	movq	%rsi, 136(%rsp)
	movq	%r14, 144(%rsp)
	movq	%r15, 152(%rsp)
	movq	%r12, 160(%rsp)
	movq	%r13, 168(%rsp)
	movq	$0, 176(%rsp)
	leaq	segment0.chunk.2(%rip), %rsi
	leaq	88(%rsp), %rdi
	movq	%rcx, %rdx
	movq	%rax, %rcx
	movq	%rbx, %r8
	callq	*8(%rbx)
.LBB0_9:
.LBB0_10:
.LBB0_11:
	addq	$280, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.Lfunc_end0:
	.size	segment0.inner, .Lfunc_end0-segment0.inner

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI1_0:
	.quad	0
	.quad	1
	.quad	2
	.quad	3
	.quad	4
	.quad	5
	.quad	6
	.quad	7
.LCPI1_1:
	.quad	8
	.quad	9
	.quad	10
	.quad	11
	.quad	12
	.quad	13
	.quad	14
	.quad	15
.LCPI1_2:
	.quad	16
	.quad	17
	.quad	18
	.quad	19
	.quad	20
	.quad	21
	.quad	22
	.quad	23
.LCPI1_3:
	.quad	24
	.quad	25
	.quad	26
	.quad	27
	.quad	28
	.quad	29
	.quad	30
	.quad	31
	.text
	.p2align	4
	.type	segment0.parallel,@function
segment0.parallel:
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$591040, %rsp
	movq	%r9, 496(%rsp)
	movq	%r8, 488(%rsp)
	movq	%rsi, 408(%rsp)
	movq	%rdi, 440(%rsp)
	movq	64(%rbp), %r9
	movq	72(%rbp), %rax
	subq	%r9, %rax
	movq	%rax, 376(%rsp)
	jne	.LBB1_2
.LBB1_1:
	xorl	%eax, %eax
	jmp	.LBB1_79
.LBB1_2:
	movq	48(%rbp), %r10
	movq	24(%rbp), %r11
	movq	16(%rbp), %rbx
	addq	56(%rbp), %r9
	movq	%rcx, %rdi
	movq	%rdx, %r8
	movq	%rcx, %rax
	sarq	$63, %rax
	andnq	%rcx, %rax, %rcx
	leaq	(%rcx,%rcx,8), %rax
	movq	%rax, 32(%rsp)
	testq	%rax, %rax
	setg	%al
	testq	%rbx, %rbx
	setle	%r14b
	movq	%r11, %rdx
	sarq	$63, %rdx
	andnq	%r11, %rdx, %r15
	leaq	255(%rbx), %rdx
	movq	%rdx, %rsi
	sarq	$8, %rsi
	sarq	$63, %rdx
	andnq	%rsi, %rdx, %rdx
	leaq	511(%r11), %rsi
	sarq	$9, %rsi
	xorl	%r11d, %r11d
	testq	%rsi, %rsi
	cmovleq	%r11, %rsi
	movl	$1, %r11d
	cmovgq	%rsi, %r11
	imulq	%rdx, %rsi
	movq	%rsi, 232(%rsp)
	leaq	-1(%rcx,%rcx,8), %rcx
	shrq	$8, %rcx
	movq	%rcx, 416(%rsp)
	movq	%rdi, 360(%rsp)
	leaq	(,%rdi,4), %rcx
	leaq	(%rcx,%rcx,8), %rcx
	movq	%rcx, 288(%rsp)
	orb	%al, %r14b
	movb	%r14b, 7(%rsp)
	movq	%r10, %rdx
	imulq	40(%rbp), %rdx
	movq	%rdx, %rsi
	imulq	%rbx, %rsi
	movq	%rsi, %rax
	movq	%r9, 352(%rsp)
	imulq	%r9, %rax
	movq	%r11, %r9
	shlq	$2, %rsi
	movq	%rsi, 368(%rsp)
	shlq	$2, %rdx
	movq	%rdx, 400(%rsp)
	movabsq	$9223372036854775800, %r11
	andq	%r15, %r11
	leaq	28(%r8,%rax,4), %rcx
	movq	%rcx, 208(%rsp)
	movq	%r8, 472(%rsp)
	leaq	(%r8,%rax,4), %rax
	movq	%rax, 200(%rsp)
	movq	%r15, 392(%rsp)
	andl	$7, %r15d
	vmovdqa64	.LCPI1_0(%rip), %zmm0
	vmovdqa64	.LCPI1_1(%rip), %zmm1
	vmovdqa64	.LCPI1_2(%rip), %zmm2
	vmovdqa64	.LCPI1_3(%rip), %zmm3
	vxorps	%xmm4, %xmm4, %xmm4
	vxorps	%xmm5, %xmm5, %xmm5
	movq	80(%rbp), %rax
	leaq	(,%r10,4), %rcx
	movq	%rcx, 384(%rsp)
	movq	$0, 88(%rsp)
	movq	%r9, 424(%rsp)
	movq	%r11, 336(%rsp)
	movq	%r15, 328(%rsp)
	jmp	.LBB1_4
	.p2align	4
.LBB1_3:
	movq	88(%rsp), %rcx
	incq	%rcx
	movq	368(%rsp), %rax
	addq	%rax, 208(%rsp)
	addq	%rax, 200(%rsp)
	movq	%rcx, 88(%rsp)
	cmpq	376(%rsp), %rcx
	movq	80(%rbp), %rax
	je	.LBB1_1
.LBB1_4:
	movzbl	(%rax), %eax
	testb	%al, %al
	jne	.LBB1_78
	cmpq	$0, 32(%rbp)
	jle	.LBB1_3
	movq	352(%rsp), %rax
	movq	88(%rsp), %rcx
	addq	%rcx, %rax
	movq	%rax, %rcx
	imulq	16(%rbp), %rcx
	movq	%rcx, 560(%rsp)
	imulq	360(%rsp), %rax
	movq	%rax, 480(%rsp)
	movq	200(%rsp), %rax
	movq	%rax, 224(%rsp)
	movq	208(%rsp), %rax
	movq	%rax, 216(%rsp)
	movq	$0, 56(%rsp)
	jmp	.LBB1_8
	.p2align	4
.LBB1_7:
	movq	56(%rsp), %rcx
	incq	%rcx
	movq	384(%rsp), %rax
	addq	%rax, 216(%rsp)
	addq	%rax, 224(%rsp)
	movq	%rcx, 56(%rsp)
	cmpq	%rcx, 32(%rbp)
	je	.LBB1_3
.LBB1_8:
	movq	80(%rbp), %rax
	movzbl	(%rax), %eax
	testb	%al, %al
	jne	.LBB1_78
	cmpb	$0, 7(%rsp)
	je	.LBB1_70
.LBB1_10:
	cmpq	$0, 232(%rsp)
	jle	.LBB1_7
	movq	$0, 96(%rsp)
	xorl	%eax, %eax
	jmp	.LBB1_13
	.p2align	4
.LBB1_12:
	movq	96(%rsp), %rax
	incq	%rax
	cmpq	%r9, %rax
	movl	$0, %ecx
	cmovneq	%rax, %rcx
	movq	%rcx, 96(%rsp)
	movq	240(%rsp), %rax
	incq	%rax
	cmpq	%rax, 232(%rsp)
	je	.LBB1_7
.LBB1_13:
	movq	%rax, 240(%rsp)
	cmpq	$0, 32(%rsp)
	jle	.LBB1_12
	movq	240(%rsp), %rax
	movq	%rax, %rcx
	orq	%r9, %rcx
	shrq	$32, %rcx
	je	.LBB1_16
	xorl	%edx, %edx
	divq	%r9
	movq	%rax, %rsi
	movq	96(%rsp), %rdx
	jmp	.LBB1_17
	.p2align	4
.LBB1_16:
	xorl	%edx, %edx
	divl	%r9d
	movl	%eax, %esi
.LBB1_17:
	shlq	$9, %rdx
	leaq	512(%rdx), %rcx
	movq	24(%rbp), %rax
	cmpq	%rax, %rcx
	cmovgeq	%rax, %rcx
	movq	%rdx, %rdi
	notq	%rdi
	addq	%rcx, %rdi
	shrq	$5, %rdi
	incq	%rdi
	movq	%rdx, 48(%rsp)
	movq	%rcx, 40(%rsp)
	cmpq	%rcx, %rdx
	movl	$0, %eax
	cmovgeq	%rax, %rdi
	movq	%rdi, 272(%rsp)
	shlq	$8, %rsi
	leaq	256(%rsi), %rcx
	movq	16(%rbp), %rax
	cmpq	%rax, %rcx
	cmovgeq	%rax, %rcx
	movq	%rsi, %rax
	notq	%rax
	movq	%rcx, 256(%rsp)
	addq	%rcx, %rax
	shrq	$6, %rax
	movq	%rax, 448(%rsp)
	movl	$256, %ebx
	movq	$-16, 248(%rsp)
	movq	$0, 104(%rsp)
	xorl	%r14d, %r14d
	xorl	%eax, %eax
	movq	%rsi, 264(%rsp)
	jmp	.LBB1_19
	.p2align	4
.LBB1_18:
	addq	$256, %rbx
	addq	$256, %r14
	addq	$-256, 104(%rsp)
	addq	$-256, 248(%rsp)
	movq	432(%rsp), %rax
	cmpq	%rax, 416(%rsp)
	leaq	1(%rax), %rax
	movq	424(%rsp), %r9
	je	.LBB1_12
.LBB1_19:
	movq	%rax, %rcx
	movq	32(%rsp), %rax
	cmpq	%rax, %rbx
	movq	%rax, %rdx
	movq	%rbx, 344(%rsp)
	cmovlq	%rbx, %rdx
	cmpq	%r14, %rdx
	movq	%r14, 128(%rsp)
	movq	%rdx, 64(%rsp)
	cmovgq	%rdx, %r14
	movq	%r14, 112(%rsp)
	movq	%rcx, 432(%rsp)
	movq	%rcx, %r14
	shlq	$8, %r14
	leaq	256(%r14), %rcx
	cmpq	%rax, %rcx
	cmovlq	%rcx, %rax
	cmpq	%r14, %rax
	cmovleq	%r14, %rax
	movq	%rax, 296(%rsp)
	movq	40(%rsp), %rax
	cmpq	%rax, 48(%rsp)
	movq	%r14, 16(%rsp)
	jge	.LBB1_38
	movq	32(%rsp), %rsi
	leaq	256(%r14), %r8
	cmpq	%rsi, %r8
	movq	%rsi, %r9
	cmovlq	%r8, %r9
	movq	%r14, %rax
	movabsq	$6148914691236517206, %rdi
	imulq	%rdi
	movq	%rdx, %rax
	shrq	$63, %rax
	addq	%rdx, %rax
	leaq	(%rax,%rax,2), %rcx
	movq	%r14, %r10
	subq	%rcx, %r10
	sarq	$63, %r10
	addq	%rax, %r10
	cmpq	%rsi, %r8
	cmovlq	%r8, %rsi
	leaq	-1(%rsi), %rax
	imulq	%rdi
	movq	%rdx, %rax
	shrq	$63, %rax
	addq	%rdx, %rax
	leaq	(%rax,%rax,2), %rcx
	negq	%rcx
	movq	%rsi, 168(%rsp)
	leaq	-1(%rsi,%rcx), %rcx
	sarq	$63, %rcx
	leaq	1(%rcx,%rax), %rcx
	subq	%r10, %rcx
	movl	$0, %eax
	cmovleq	%rax, %rcx
	movq	%rcx, 72(%rsp)
	movq	%r10, 176(%rsp)
	leaq	(%r10,%r10,2), %rax
	subq	%rax, %r9
	movq	%r9, 184(%rsp)
	movq	%r14, %rcx
	subq	%rax, %rcx
	movq	%rcx, 152(%rsp)
	subq	%rax, 64(%rsp)
	movq	128(%rsp), %rcx
	subq	%rax, %rcx
	movq	%rcx, 136(%rsp)
	addq	104(%rsp), %rax
	movq	%rax, 144(%rsp)
	leaq	66432(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	$0, 8(%rsp)
	jmp	.LBB1_22
	.p2align	4
.LBB1_21:
	movq	8(%rsp), %rcx
	incq	%rcx
	addq	$32768, 24(%rsp)
	movq	%rcx, 8(%rsp)
	cmpq	272(%rsp), %rcx
	je	.LBB1_38
.LBB1_22:
	cmpq	$0, 72(%rsp)
	je	.LBB1_21
	movq	8(%rsp), %rax
	shlq	$5, %rax
	movq	48(%rsp), %rdx
	leaq	(%rdx,%rax), %rcx
	leaq	32(%rdx,%rax), %rax
	movq	40(%rsp), %rdx
	cmpq	%rdx, %rax
	cmovgeq	%rdx, %rax
	subq	%rcx, %rax
	movl	$0, %edx
	cmovleq	%rdx, %rax
	vpbroadcastq	%rax, %zmm6
	vpcmpnleuq	%zmm0, %zmm6, %k0
	vpcmpnleuq	%zmm1, %zmm6, %k1
	kunpckbw	%k0, %k1, %k1
	vpcmpnleuq	%zmm2, %zmm6, %k0
	vpcmpnleuq	%zmm3, %zmm6, %k2
	kunpckbw	%k0, %k2, %k2
	kunpckwd	%k1, %k2, %k0
	kmovd	%k0, %ebx
	movq	440(%rsp), %rax
	leaq	(%rax,%rcx,4), %rax
	movq	%rax, 160(%rsp)
	movq	144(%rsp), %r10
	movq	136(%rsp), %r15
	movq	64(%rsp), %r11
	xorl	%ecx, %ecx
	jmp	.LBB1_25
	.p2align	4
.LBB1_24:
	incq	%rcx
	addq	$-3, %r11
	addq	$-3, %r15
	addq	$3, %r10
	cmpq	72(%rsp), %rcx
	je	.LBB1_21
.LBB1_25:
	cmpq	$3, %r11
	movl	$3, %eax
	cmovlq	%r11, %rax
	movq	%rax, 80(%rsp)
	leaq	(%rcx,%rcx,2), %rax
	movq	184(%rsp), %rdi
	subq	%rax, %rdi
	cmpq	$3, %rdi
	movl	$3, %r9d
	cmovgeq	%r9, %rdi
	movq	176(%rsp), %rdx
	leaq	(%rdx,%rcx), %r13
	leaq	(%r13,%r13,2), %rdx
	movq	%r14, %rsi
	subq	%rdx, %rsi
	movq	%rsi, %r8
	sarq	$63, %r8
	andnq	%rsi, %r8, %r12
	movq	168(%rsp), %rsi
	subq	%rdx, %rsi
	cmpq	$3, %rsi
	cmovgeq	%r9, %rsi
	cmpq	%rsi, %r12
	jge	.LBB1_24
	movq	152(%rsp), %rdx
	subq	%rax, %rdx
	movq	%rdx, %rax
	sarq	$63, %rax
	andnq	%rdx, %rax, %r14
	movq	%r13, %rax
	movabsq	$6148914691236517206, %rdx
	imulq	%rdx
	movq	%rdx, %rsi
	shrq	$63, %rsi
	addq	%rdx, %rsi
	leaq	(%rsi,%rsi,2), %rax
	movq	%r13, %rdx
	subq	%rax, %rdx
	negq	%rax
	leaq	3(%r13,%rax), %r8
	movq	%r15, %rax
	sarq	$63, %rax
	andnq	%r15, %rax, %rax
	testq	%rdx, %rdx
	cmovnsq	%rdx, %r8
	sarq	$63, %rdx
	addq	480(%rsp), %rsi
	addq	%rdx, %rsi
	addq	56(%rsp), %r8
	imulq	488(%rsp), %rsi
	addq	%r8, %rsi
	imulq	496(%rsp), %rsi
	movq	160(%rsp), %rdx
	leaq	(%rdx,%rsi,4), %rdx
	movq	%r14, %rsi
	subq	%rdi, %rsi
	cmpq	$-4, %rsi
	jbe	.LBB1_28
	xorl	%r13d, %r13d
	movq	16(%rsp), %r14
	jmp	.LBB1_34
	.p2align	4
.LBB1_28:
	leaq	(%rax,%r10), %r8
	shlq	$7, %r8
	addq	24(%rsp), %r8
	movq	80(%rsp), %rsi
	subq	%rax, %rsi
	andq	$-4, %rsi
	negq	%rsi
	subq	%r14, %rdi
	xorl	%r13d, %r13d
	xorl	%r14d, %r14d
	jmp	.LBB1_30
	.p2align	4
.LBB1_29:
	addq	$4, %r14
	addq	$-4, %r13
	addq	$512, %r8
	cmpq	%r13, %rsi
	je	.LBB1_32
.LBB1_30:
	testl	%ebx, %ebx
	je	.LBB1_29
	leaq	(%r12,%r14), %r9
	vmovups	(%rdx,%r9,4), %zmm6 {%k1} {z}
	vmovups	64(%rdx,%r9,4), %zmm7 {%k2} {z}
	vmovups	%zmm7, 64(%r8) {%k2}
	vmovups	%zmm6, (%r8) {%k1}
	vmovups	4(%rdx,%r9,4), %zmm6 {%k1} {z}
	vmovups	68(%rdx,%r9,4), %zmm7 {%k2} {z}
	vmovups	%zmm7, 192(%r8) {%k2}
	vmovups	%zmm6, 128(%r8) {%k1}
	vmovups	8(%rdx,%r9,4), %zmm6 {%k1} {z}
	vmovups	72(%rdx,%r9,4), %zmm7 {%k2} {z}
	vmovups	%zmm7, 320(%r8) {%k2}
	vmovups	%zmm6, 256(%r8) {%k1}
	vmovups	12(%rdx,%r9,4), %zmm6 {%k1} {z}
	vmovups	76(%rdx,%r9,4), %zmm7 {%k2} {z}
	vmovups	%zmm7, 448(%r8) {%k2}
	vmovups	%zmm6, 384(%r8) {%k1}
	jmp	.LBB1_29
	.p2align	4
.LBB1_32:
	testb	$3, %dil
	movq	16(%rsp), %r14
	je	.LBB1_24
	negq	%r13
.LBB1_34:
	movq	80(%rsp), %rsi
	subb	%al, %sil
	movzbl	%sil, %esi
	andl	$3, %esi
	shll	$5, %esi
	addq	%r13, %rax
	addq	%r10, %rax
	shlq	$7, %rax
	addq	24(%rsp), %rax
	xorl	%edi, %edi
	jmp	.LBB1_36
	.p2align	4
.LBB1_35:
	incq	%r13
	addq	$32, %rdi
	cmpq	%rdi, %rsi
	je	.LBB1_24
.LBB1_36:
	testl	%ebx, %ebx
	je	.LBB1_35
	leaq	(%r12,%r13), %r8
	vmovups	(%rdx,%r8,4), %zmm6 {%k1} {z}
	vmovups	64(%rdx,%r8,4), %zmm7 {%k2} {z}
	vmovups	%zmm7, 64(%rax,%rdi,4) {%k2}
	vmovups	%zmm6, (%rax,%rdi,4) {%k1}
	jmp	.LBB1_35
	.p2align	4
.LBB1_38:
	movq	264(%rsp), %rsi
	cmpq	256(%rsp), %rsi
	movq	336(%rsp), %r11
	movq	328(%rsp), %r15
	movq	344(%rsp), %rbx
	movq	128(%rsp), %r14
	jge	.LBB1_18
	movq	112(%rsp), %rcx
	movl	%ecx, %eax
	andl	$3, %eax
	shll	$5, %eax
	movq	%rax, 320(%rsp)
	movq	%rcx, %rax
	andq	$-4, %rax
	addq	104(%rsp), %rax
	movq	%rax, 544(%rsp)
	addq	248(%rsp), %rcx
	shrq	$4, %rcx
	leal	1(%rcx), %eax
	movzbl	%al, %r12d
	andl	$7, %r12d
	shll	$6, %r12d
	incq	%rcx
	andq	$-8, %rcx
	movq	%rcx, 112(%rsp)
	movq	296(%rsp), %rax
	movq	16(%rsp), %rdi
	subq	%rdi, %rax
	leaq	-1(%rax), %rcx
	movq	%rcx, 552(%rsp)
	addq	$-16, %rax
	movq	%rax, 528(%rsp)
	shrq	$4, %rax
	incq	%rax
	movq	%rax, 464(%rsp)
	movq	32(%rsp), %rax
	leaq	256(%rdi), %rcx
	cmpq	%rax, %rcx
	cmovgeq	%rax, %rcx
	subq	%rdi, %rcx
	movl	$0, %eax
	cmovleq	%rax, %rcx
	movl	%ecx, %eax
	andl	$15, %eax
	movq	%rcx, 576(%rsp)
	movq	%rcx, %rdx
	andq	$-16, %rdx
	movq	408(%rsp), %rcx
	leaq	(%rcx,%rdi,4), %rcx
	vpbroadcastq	%rax, %zmm6
	vpcmpgtq	%zmm0, %zmm6, %k0
	vpcmpgtq	%zmm1, %zmm6, %k1
	kunpckbw	%k0, %k1, %k1
	kmovd	%k1, %eax
	movl	%eax, 196(%rsp)
	movq	%rcx, 520(%rsp)
	leaq	(%rcx,%rdx,4), %rax
	movq	%rax, 512(%rsp)
	movq	%rdx, 536(%rsp)
	leaq	640(%rsp,%rdx,4), %rax
	movq	%rax, 504(%rsp)
	cmpq	$1, %rdi
	movl	$0, %eax
	sbbl	%eax, %eax
	kmovd	%eax, %k2
	kshiftrd	$16, %k2, %k3
	xorl	%eax, %eax
	movq	%r12, 568(%rsp)
	jmp	.LBB1_41
	.p2align	4
.LBB1_40:
	movq	456(%rsp), %rax
	cmpq	%rax, 448(%rsp)
	leaq	1(%rax), %rax
	movq	264(%rsp), %rsi
	je	.LBB1_18
.LBB1_41:
	movq	%rax, 456(%rsp)
	shlq	$6, %rax
	leaq	(%rsi,%rax), %r13
	leaq	64(%rsi,%rax), %rcx
	movq	256(%rsp), %rax
	cmpq	%rax, %rcx
	cmovgeq	%rax, %rcx
	movq	%rcx, 280(%rsp)
	subq	%r13, %rcx
	movq	%rcx, 8(%rsp)
	jle	.LBB1_54
	leaq	640(%rsp), %rax
	leaq	1088(%rsp), %rcx
	xorl	%edx, %edx
	jmp	.LBB1_44
	.p2align	4
.LBB1_43:
	incq	%rdx
	addq	$1024, %rcx
	addq	$1024, %rax
	cmpq	8(%rsp), %rdx
	je	.LBB1_54
.LBB1_44:
	leaq	(%r13,%rdx), %rsi
	cmpq	$0, 536(%rsp)
	je	.LBB1_52
	movq	%rsi, %rdi
	imulq	288(%rsp), %rdi
	addq	520(%rsp), %rdi
	cmpq	$112, 528(%rsp)
	jae	.LBB1_47
	xorl	%r8d, %r8d
	jmp	.LBB1_50
	.p2align	4
.LBB1_47:
	movq	112(%rsp), %r9
	xorl	%r8d, %r8d
	.p2align	4
.LBB1_48:
	vmovups	(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -448(%rcx,%r8,4)
	vmovups	64(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -384(%rcx,%r8,4)
	vmovups	128(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -320(%rcx,%r8,4)
	vmovups	192(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -256(%rcx,%r8,4)
	vmovups	256(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -192(%rcx,%r8,4)
	vmovups	320(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -128(%rcx,%r8,4)
	vmovups	384(%rdi,%r8,4), %zmm6
	vmovups	%zmm6, -64(%rcx,%r8,4)
	vmovdqu64	448(%rdi,%r8,4), %zmm6
	vmovdqu64	%zmm6, (%rcx,%r8,4)
	subq	$-128, %r8
	addq	$-8, %r9
	jne	.LBB1_48
	testb	$7, 464(%rsp)
	je	.LBB1_52
.LBB1_50:
	leaq	(%rax,%r8,4), %r9
	xorl	%r10d, %r10d
	.p2align	4
.LBB1_51:
	vmovdqu64	(%rdi,%r8,4), %zmm6
	vmovdqu64	%zmm6, (%r9,%r10)
	addq	$16, %r8
	addq	$64, %r10
	cmpq	%r10, %r12
	jne	.LBB1_51
.LBB1_52:
	cmpw	$0, 196(%rsp)
	je	.LBB1_43
	imulq	288(%rsp), %rsi
	movq	512(%rsp), %rdi
	vmovups	(%rdi,%rsi), %zmm6 {%k1} {z}
	movq	%rdx, %rsi
	shlq	$10, %rsi
	movq	504(%rsp), %rdi
	vmovups	%zmm6, (%rdi,%rsi) {%k1}
	jmp	.LBB1_43
	.p2align	4
.LBB1_54:
	movq	40(%rsp), %rax
	cmpq	%rax, 48(%rsp)
	jge	.LBB1_40
	movq	8(%rsp), %rax
	decq	%rax
	shrq	$3, %rax
	movq	%rax, 8(%rsp)
	movq	280(%rsp), %rax
	decq	%rax
	movq	%rax, 584(%rsp)
	leaq	66432(%rsp), %rax
	movq	%rax, 312(%rsp)
	leaq	66816(%rsp), %rax
	movq	%rax, 304(%rsp)
	movq	$0, 120(%rsp)
	movq	%r13, 592(%rsp)
	jmp	.LBB1_57
	.p2align	4
.LBB1_56:
	movq	120(%rsp), %rcx
	incq	%rcx
	addq	$32768, 304(%rsp)
	addq	$32768, 312(%rsp)
	movq	%rcx, 120(%rsp)
	cmpq	272(%rsp), %rcx
	je	.LBB1_40
.LBB1_57:
	cmpq	%r13, 280(%rsp)
	jle	.LBB1_56
	movq	120(%rsp), %rax
	shlq	$5, %rax
	movq	48(%rsp), %rdx
	leaq	(%rdx,%rax), %rcx
	leaq	32(%rdx,%rax), %rax
	movq	40(%rsp), %rdx
	cmpq	%rdx, %rax
	cmovgeq	%rdx, %rax
	subq	%rcx, %rax
	movl	$0, %edx
	cmovleq	%rdx, %rax
	vpbroadcastq	%rax, %zmm6
	vpcmpnleuq	%zmm0, %zmm6, %k0
	vpcmpnleuq	%zmm1, %zmm6, %k4
	kunpckbw	%k0, %k4, %k4
	vpcmpnleuq	%zmm2, %zmm6, %k0
	vpcmpnleuq	%zmm3, %zmm6, %k5
	kunpckbw	%k0, %k5, %k5
	kunpckwd	%k4, %k5, %k0
	kmovd	%k0, %eax
	movl	%eax, 64(%rsp)
	movq	472(%rsp), %rax
	leaq	(%rax,%rcx,4), %r9
	xorl	%esi, %esi
	movq	%r9, 600(%rsp)
	jmp	.LBB1_61
	.p2align	4
.LBB1_59:
	movq	72(%rsp), %rax
	leaq	(%r9,%rax,4), %rax
	movq	184(%rsp), %rcx
	leaq	(%r9,%rcx,4), %rcx
	movq	176(%rsp), %rdx
	leaq	(%r9,%rdx,4), %rdx
	movq	168(%rsp), %rsi
	leaq	(%r9,%rsi,4), %rsi
	movq	24(%rsp), %rdi
	leaq	(%r9,%rdi,4), %rdi
	movq	160(%rsp), %r8
	leaq	(%r9,%r8,4), %r8
	movq	16(%rsp), %r10
	leaq	(%r9,%r10,4), %r10
	movq	152(%rsp), %r11
	leaq	(%r9,%r11,4), %r11
	vmovups	%zmm6, (%rax) {%k4}
	vmovups	%zmm7, 64(%rax) {%k5}
	vmovups	%zmm9, 64(%rcx) {%k5}
	vmovups	%zmm8, (%rcx) {%k4}
	vmovups	%zmm11, 64(%rdx) {%k5}
	vmovups	%zmm10, (%rdx) {%k4}
	vmovups	%zmm13, 64(%rsi) {%k5}
	vmovups	%zmm12, (%rsi) {%k4}
	vmovups	%zmm15, 64(%rdi) {%k5}
	vmovups	%zmm14, (%rdi) {%k4}
	vmovups	%zmm17, 64(%r8) {%k5}
	vmovups	%zmm16, (%r8) {%k4}
	vmovups	%zmm19, 64(%r10) {%k5}
	vmovups	%zmm18, (%r10) {%k4}
	vmovups	%zmm21, 64(%r11) {%k5}
	vmovups	%zmm20, (%r11) {%k4}
	movq	336(%rsp), %r11
	movq	328(%rsp), %r15
	movq	344(%rsp), %rbx
	movq	128(%rsp), %r14
	movq	568(%rsp), %r12
	movq	592(%rsp), %r13
	movq	80(%rsp), %rsi
.LBB1_60:
	cmpq	%rsi, 8(%rsp)
	leaq	1(%rsi), %rsi
	je	.LBB1_56
.LBB1_61:
	cmpl	$0, 64(%rsp)
	je	.LBB1_60
	leaq	(%r13,%rsi,8), %rax
	movq	584(%rsp), %r9
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	movq	560(%rsp), %r15
	movq	%r13, %r10
	movq	%rax, 144(%rsp)
	leaq	(%r15,%rax), %r13
	movq	40(%rbp), %rbx
	imulq	%rbx, %r13
	movq	56(%rsp), %r12
	addq	%r12, %r13
	movq	48(%rbp), %rdi
	imulq	%rdi, %r13
	leaq	1(%r10,%rsi,8), %rax
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	movq	%rax, 136(%rsp)
	leaq	(%r15,%rax), %rcx
	imulq	%rbx, %rcx
	addq	%r12, %rcx
	imulq	%rdi, %rcx
	leaq	2(%r10,%rsi,8), %rax
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	movq	%rax, 632(%rsp)
	leaq	(%r15,%rax), %rdx
	imulq	%rbx, %rdx
	addq	%r12, %rdx
	imulq	%rdi, %rdx
	leaq	3(%r10,%rsi,8), %rax
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	movq	%rax, 624(%rsp)
	leaq	(%r15,%rax), %r14
	imulq	%rbx, %r14
	addq	%r12, %r14
	imulq	%rdi, %r14
	leaq	4(%r10,%rsi,8), %rax
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	movq	%rax, 616(%rsp)
	leaq	(%r15,%rax), %r8
	imulq	%rbx, %r8
	addq	%r12, %r8
	imulq	%rdi, %r8
	leaq	5(%r10,%rsi,8), %rax
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	movq	%rax, 608(%rsp)
	leaq	(%r15,%rax), %r11
	imulq	%rbx, %r11
	addq	%r12, %r11
	imulq	%rdi, %r11
	leaq	6(%r10,%rsi,8), %rax
	cmpq	%r9, %rax
	cmovgeq	%r9, %rax
	leaq	(%r15,%rax), %rbx
	imulq	40(%rbp), %rbx
	addq	%r12, %rbx
	imulq	%rdi, %rbx
	movq	%rsi, 80(%rsp)
	leaq	7(%r10,%rsi,8), %rsi
	cmpq	%r9, %rsi
	cmovgeq	%r9, %rsi
	movq	600(%rsp), %r9
	addq	%rsi, %r15
	imulq	40(%rbp), %r15
	addq	%r12, %r15
	vmovups	(%r9,%r13,4), %zmm6 {%k4} {z}
	imulq	%rdi, %r15
	movq	%r13, 72(%rsp)
	vmovups	64(%r9,%r13,4), %zmm7 {%k5} {z}
	vmovaps	%zmm4, %zmm7 {%k3}
	vmovups	(%r9,%rcx,4), %zmm8 {%k4} {z}
	vmovaps	%zmm4, %zmm6 {%k2}
	movq	%rcx, 184(%rsp)
	vmovups	64(%r9,%rcx,4), %zmm9 {%k5} {z}
	vmovaps	%zmm4, %zmm9 {%k3}
	vmovups	(%r9,%rdx,4), %zmm10 {%k4} {z}
	vmovaps	%zmm4, %zmm8 {%k2}
	movq	%rdx, 176(%rsp)
	vmovups	64(%r9,%rdx,4), %zmm11 {%k5} {z}
	vmovaps	%zmm4, %zmm11 {%k3}
	vmovups	(%r9,%r14,4), %zmm12 {%k4} {z}
	vmovaps	%zmm4, %zmm10 {%k2}
	movq	%r14, 168(%rsp)
	vmovups	64(%r9,%r14,4), %zmm13 {%k5} {z}
	vmovaps	%zmm4, %zmm13 {%k3}
	vmovups	(%r9,%r8,4), %zmm14 {%k4} {z}
	vmovaps	%zmm4, %zmm12 {%k2}
	movq	%r8, 24(%rsp)
	vmovups	64(%r9,%r8,4), %zmm15 {%k5} {z}
	vmovaps	%zmm4, %zmm15 {%k3}
	vmovups	(%r9,%r11,4), %zmm16 {%k4} {z}
	vmovaps	%zmm4, %zmm14 {%k2}
	movq	%r11, 160(%rsp)
	vmovups	64(%r9,%r11,4), %zmm17 {%k5} {z}
	vmovaps	%zmm4, %zmm17 {%k3}
	vmovups	(%r9,%rbx,4), %zmm18 {%k4} {z}
	vmovaps	%zmm4, %zmm16 {%k2}
	movq	%rbx, 16(%rsp)
	vmovups	64(%r9,%rbx,4), %zmm19 {%k5} {z}
	vmovaps	%zmm4, %zmm19 {%k3}
	vmovups	(%r9,%r15,4), %zmm20 {%k4} {z}
	vmovaps	%zmm4, %zmm18 {%k2}
	movq	%r15, 152(%rsp)
	vmovups	64(%r9,%r15,4), %zmm21 {%k5} {z}
	vmovaps	%zmm4, %zmm21 {%k3}
	vmovaps	%zmm4, %zmm20 {%k2}
	cmpq	$0, 576(%rsp)
	je	.LBB1_59
	movq	144(%rsp), %rcx
	subq	%r10, %rcx
	shlq	$10, %rcx
	leaq	640(%rsp,%rcx), %rdi
	movq	136(%rsp), %rcx
	subq	%r10, %rcx
	shlq	$10, %rcx
	leaq	640(%rsp,%rcx), %rdx
	movq	632(%rsp), %rcx
	subq	%r10, %rcx
	shlq	$10, %rcx
	leaq	640(%rsp,%rcx), %r15
	movq	624(%rsp), %rcx
	subq	%r10, %rcx
	shlq	$10, %rcx
	leaq	640(%rsp,%rcx), %r12
	movq	616(%rsp), %r8
	subq	%r10, %r8
	shlq	$10, %r8
	leaq	640(%rsp,%r8), %r13
	movq	608(%rsp), %r8
	subq	%r10, %r8
	shlq	$10, %r8
	leaq	640(%rsp,%r8), %r14
	subq	%r10, %rax
	shlq	$10, %rax
	leaq	640(%rsp,%rax), %r8
	subq	%r10, %rsi
	shlq	$10, %rsi
	leaq	640(%rsp,%rsi), %r11
	cmpq	$3, 552(%rsp)
	jae	.LBB1_65
	xorl	%ecx, %ecx
	movq	320(%rsp), %rax
	jmp	.LBB1_68
.LBB1_65:
	movq	304(%rsp), %rbx
	xorl	%ecx, %ecx
	movq	320(%rsp), %rax
	movq	544(%rsp), %rsi
	.p2align	4
.LBB1_66:
	vbroadcastss	(%rdi,%rcx,4), %zmm24
	vmovups	-384(%rbx), %zmm25
	vmovups	-320(%rbx), %zmm26
	vmovups	-256(%rbx), %zmm22
	vmovups	-192(%rbx), %zmm23
	vfmadd231ps	%zmm24, %zmm25, %zmm6
	vfmadd231ps	%zmm24, %zmm26, %zmm7
	vbroadcastss	(%rdx,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm25, %zmm8
	vfmadd231ps	%zmm24, %zmm26, %zmm9
	vbroadcastss	(%r15,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm25, %zmm10
	vbroadcastss	(%r12,%rcx,4), %zmm27
	vfmadd231ps	%zmm24, %zmm26, %zmm11
	vfmadd231ps	%zmm27, %zmm25, %zmm12
	vfmadd231ps	%zmm27, %zmm26, %zmm13
	vbroadcastss	(%r13,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm25, %zmm14
	vfmadd231ps	%zmm24, %zmm26, %zmm15
	vbroadcastss	(%r14,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm25, %zmm16
	vbroadcastss	(%r8,%rcx,4), %zmm27
	vfmadd231ps	%zmm24, %zmm26, %zmm17
	vfmadd231ps	%zmm27, %zmm25, %zmm18
	vfmadd231ps	%zmm27, %zmm26, %zmm19
	vbroadcastss	(%r11,%rcx,4), %zmm24
	vfmadd231ps	%zmm25, %zmm24, %zmm20
	vfmadd231ps	%zmm24, %zmm26, %zmm21
	vbroadcastss	4(%rdi,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm7
	vbroadcastss	4(%rdx,%rcx,4), %zmm25
	vfmadd231ps	%zmm24, %zmm22, %zmm6
	vfmadd231ps	%zmm25, %zmm23, %zmm9
	vfmadd231ps	%zmm25, %zmm22, %zmm8
	vbroadcastss	4(%r15,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm11
	vfmadd231ps	%zmm24, %zmm22, %zmm10
	vbroadcastss	4(%r12,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm13
	vbroadcastss	4(%r13,%rcx,4), %zmm25
	vfmadd231ps	%zmm24, %zmm22, %zmm12
	vfmadd231ps	%zmm25, %zmm23, %zmm15
	vfmadd231ps	%zmm25, %zmm22, %zmm14
	vbroadcastss	4(%r14,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm17
	vfmadd231ps	%zmm24, %zmm22, %zmm16
	vbroadcastss	4(%r8,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm19
	vbroadcastss	4(%r11,%rcx,4), %zmm25
	vfmadd231ps	%zmm24, %zmm22, %zmm18
	vfmadd231ps	%zmm23, %zmm25, %zmm21
	vmovups	-64(%rbx), %zmm23
	vmovups	-128(%rbx), %zmm24
	vfmadd231ps	%zmm25, %zmm22, %zmm20
	vbroadcastss	8(%rdi,%rcx,4), %zmm22
	vfmadd231ps	%zmm22, %zmm24, %zmm6
	vbroadcastss	8(%rdx,%rcx,4), %zmm25
	vfmadd231ps	%zmm22, %zmm23, %zmm7
	vfmadd231ps	%zmm25, %zmm24, %zmm8
	vfmadd231ps	%zmm25, %zmm23, %zmm9
	vbroadcastss	8(%r15,%rcx,4), %zmm22
	vfmadd231ps	%zmm22, %zmm24, %zmm10
	vfmadd231ps	%zmm22, %zmm23, %zmm11
	vbroadcastss	8(%r12,%rcx,4), %zmm22
	vfmadd231ps	%zmm22, %zmm24, %zmm12
	vbroadcastss	8(%r13,%rcx,4), %zmm25
	vfmadd231ps	%zmm22, %zmm23, %zmm13
	vfmadd231ps	%zmm25, %zmm24, %zmm14
	vfmadd231ps	%zmm25, %zmm23, %zmm15
	vbroadcastss	8(%r14,%rcx,4), %zmm22
	vfmadd231ps	%zmm22, %zmm24, %zmm16
	vfmadd231ps	%zmm22, %zmm23, %zmm17
	vbroadcastss	8(%r8,%rcx,4), %zmm22
	vfmadd231ps	%zmm22, %zmm24, %zmm18
	vbroadcastss	8(%r11,%rcx,4), %zmm25
	vfmadd231ps	%zmm22, %zmm23, %zmm19
	vfmadd231ps	%zmm24, %zmm25, %zmm20
	vmovups	(%rbx), %zmm22
	vmovups	64(%rbx), %zmm24
	vfmadd231ps	%zmm25, %zmm23, %zmm21
	vbroadcastss	12(%rdi,%rcx,4), %zmm23
	vfmadd231ps	%zmm23, %zmm24, %zmm7
	vbroadcastss	12(%rdx,%rcx,4), %zmm25
	vfmadd231ps	%zmm23, %zmm22, %zmm6
	vfmadd231ps	%zmm25, %zmm24, %zmm9
	vfmadd231ps	%zmm25, %zmm22, %zmm8
	vbroadcastss	12(%r15,%rcx,4), %zmm23
	vfmadd231ps	%zmm23, %zmm24, %zmm11
	vfmadd231ps	%zmm23, %zmm22, %zmm10
	vbroadcastss	12(%r12,%rcx,4), %zmm23
	vfmadd231ps	%zmm23, %zmm24, %zmm13
	vbroadcastss	12(%r13,%rcx,4), %zmm25
	vfmadd231ps	%zmm23, %zmm22, %zmm12
	vfmadd231ps	%zmm25, %zmm24, %zmm15
	vfmadd231ps	%zmm25, %zmm22, %zmm14
	vbroadcastss	12(%r14,%rcx,4), %zmm23
	vfmadd231ps	%zmm23, %zmm24, %zmm17
	vfmadd231ps	%zmm23, %zmm22, %zmm16
	vbroadcastss	12(%r8,%rcx,4), %zmm23
	vfmadd231ps	%zmm23, %zmm24, %zmm19
	vbroadcastss	12(%r11,%rcx,4), %zmm25
	vfmadd231ps	%zmm23, %zmm22, %zmm18
	vfmadd231ps	%zmm24, %zmm25, %zmm21
	vfmadd231ps	%zmm25, %zmm22, %zmm20
	addq	$4, %rcx
	addq	$512, %rbx
	cmpq	%rcx, %rsi
	jne	.LBB1_66
	testb	$3, 296(%rsp)
	je	.LBB1_59
.LBB1_68:
	movq	%rcx, %rbx
	shlq	$7, %rbx
	addq	312(%rsp), %rbx
	xorl	%r10d, %r10d
	.p2align	4
.LBB1_69:
	vmovups	(%rbx,%r10,4), %zmm22
	vmovups	64(%rbx,%r10,4), %zmm23
	vbroadcastss	(%rdi,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm7
	vbroadcastss	(%rdx,%rcx,4), %zmm25
	vfmadd231ps	%zmm24, %zmm22, %zmm6
	vfmadd231ps	%zmm25, %zmm23, %zmm9
	vfmadd231ps	%zmm25, %zmm22, %zmm8
	vbroadcastss	(%r15,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm11
	vfmadd231ps	%zmm24, %zmm22, %zmm10
	vbroadcastss	(%r12,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm13
	vbroadcastss	(%r13,%rcx,4), %zmm25
	vfmadd231ps	%zmm24, %zmm22, %zmm12
	vfmadd231ps	%zmm25, %zmm23, %zmm15
	vfmadd231ps	%zmm25, %zmm22, %zmm14
	vbroadcastss	(%r14,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm17
	vfmadd231ps	%zmm24, %zmm22, %zmm16
	vbroadcastss	(%r8,%rcx,4), %zmm24
	vfmadd231ps	%zmm24, %zmm23, %zmm19
	vbroadcastss	(%r11,%rcx,4), %zmm25
	vfmadd231ps	%zmm24, %zmm22, %zmm18
	vfmadd231ps	%zmm23, %zmm25, %zmm21
	vfmadd231ps	%zmm25, %zmm22, %zmm20
	incq	%rcx
	addq	$32, %r10
	cmpq	%r10, %rax
	jne	.LBB1_69
	jmp	.LBB1_59
	.p2align	4
.LBB1_70:
	movq	224(%rsp), %rax
	movq	216(%rsp), %rcx
	xorl	%edx, %edx
	jmp	.LBB1_72
	.p2align	4
.LBB1_71:
	incq	%rdx
	movq	400(%rsp), %rsi
	addq	%rsi, %rcx
	addq	%rsi, %rax
	cmpq	%rdx, 16(%rbp)
	je	.LBB1_10
.LBB1_72:
	cmpq	$0, 24(%rbp)
	jle	.LBB1_71
	xorl	%esi, %esi
	cmpq	$8, 24(%rbp)
	jl	.LBB1_76
	.p2align	4
.LBB1_74:
	vmovups	%ymm5, -28(%rcx,%rsi,4)
	addq	$8, %rsi
	cmpq	%rsi, %r11
	jne	.LBB1_74
	testb	$7, 392(%rsp)
	je	.LBB1_71
.LBB1_76:
	leaq	(%rax,%rsi,4), %rsi
	xorl	%edi, %edi
	.p2align	4
.LBB1_77:
	movl	$0, (%rsi,%rdi,4)
	incq	%rdi
	cmpq	%rdi, %r15
	jne	.LBB1_77
	jmp	.LBB1_71
.LBB1_78:
	movl	$2, %eax
.LBB1_79:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end1:
	.size	segment0.parallel, .Lfunc_end1-segment0.parallel

	.p2align	4
	.type	segment0.chunk,@function
segment0.chunk:
	pushq	%r14
	pushq	%rbx
	subq	$88, %rsp
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rbx
	movq	24(%rdi), %r10
	movq	32(%rdi), %r11
	movq	40(%rdi), %r9
	vmovups	48(%rdi), %ymm0
	vmovups	80(%rdi), %xmm1
	movq	(%r8), %rdi
	testq	%rdi, %rdi
	leaq	.Lweft_never(%rip), %r14
	cmovneq	%rdi, %r14
	movq	%r8, 72(%rsp)
	movq	%r14, 64(%rsp)
	movq	%rcx, 56(%rsp)
	movq	%rdx, 48(%rsp)
	vmovups	%xmm1, 32(%rsp)
	vmovups	%ymm0, (%rsp)
	movq	%rax, %rdi
	movq	%rbx, %rdx
	movq	%r10, %rcx
	movq	%r11, %r8
	vzeroupper
	callq	segment0.parallel
	addq	$88, %rsp
	popq	%rbx
	popq	%r14
	retq
.Lfunc_end2:
	.size	segment0.chunk, .Lfunc_end2-segment0.chunk

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI3_0:
	.quad	0
	.quad	1
	.quad	2
	.quad	3
	.quad	4
	.quad	5
	.quad	6
	.quad	7
.LCPI3_1:
	.quad	8
	.quad	9
	.quad	10
	.quad	11
	.quad	12
	.quad	13
	.quad	14
	.quad	15
.LCPI3_2:
	.quad	16
	.quad	17
	.quad	18
	.quad	19
	.quad	20
	.quad	21
	.quad	22
	.quad	23
.LCPI3_3:
	.quad	24
	.quad	25
	.quad	26
	.quad	27
	.quad	28
	.quad	29
	.quad	30
	.quad	31
.LCPI3_4:
	.quad	32
	.quad	33
	.quad	34
	.quad	35
	.quad	36
	.quad	37
	.quad	38
	.quad	39
.LCPI3_5:
	.quad	40
	.quad	41
	.quad	42
	.quad	43
	.quad	44
	.quad	45
	.quad	46
	.quad	47
.LCPI3_6:
	.quad	48
	.quad	49
	.quad	50
	.quad	51
	.quad	52
	.quad	53
	.quad	54
	.quad	55
.LCPI3_7:
	.quad	56
	.quad	57
	.quad	58
	.quad	59
	.quad	60
	.quad	61
	.quad	62
	.quad	63
	.text
	.p2align	4
	.type	segment0.parallel.1,@function
segment0.parallel.1:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$16, %rsp
	movq	120(%rsp), %r10
	movq	128(%rsp), %rax
	subq	%r10, %rax
	movq	%rax, -48(%rsp)
	jne	.LBB3_1
.LBB3_8:
	xorl	%eax, %eax
	jmp	.LBB3_9
.LBB3_1:
	movq	%rcx, %r15
	movq	136(%rsp), %rbx
	movq	80(%rsp), %rax
	addq	112(%rsp), %r10
	movq	%rax, %rcx
	sarq	$63, %rcx
	andnq	%rax, %rcx, %r14
	movl	%r14d, %eax
	andl	$63, %eax
	movabsq	$9223372036854775744, %r11
	vpbroadcastq	%rax, %zmm0
	vpcmpgtq	.LCPI3_0(%rip), %zmm0, %k0
	vpcmpgtq	.LCPI3_1(%rip), %zmm0, %k1
	andq	%r14, %r11
	kunpckbw	%k0, %k1, %k1
	vpcmpgtq	.LCPI3_2(%rip), %zmm0, %k0
	vpcmpgtq	.LCPI3_3(%rip), %zmm0, %k2
	kunpckbw	%k0, %k2, %k2
	kunpckwd	%k1, %k2, %k0
	vpcmpgtq	.LCPI3_4(%rip), %zmm0, %k3
	vpcmpgtq	.LCPI3_5(%rip), %zmm0, %k4
	kunpckbw	%k3, %k4, %k3
	vpcmpgtq	.LCPI3_6(%rip), %zmm0, %k4
	vpcmpgtq	.LCPI3_7(%rip), %zmm0, %k5
	kunpckbw	%k4, %k5, %k4
	kunpckwd	%k3, %k4, %k5
	kunpckdq	%k0, %k5, %k0
	kmovq	%k0, %rax
	movq	%rax, 8(%rsp)
	movq	%r9, %rax
	imulq	%r8, %r9
	movq	%r9, %r12
	imulq	%r15, %r12
	movq	%r12, %rcx
	imulq	%r10, %rcx
	leaq	8(%rdi,%rcx,4), %rcx
	movq	%rcx, -96(%rsp)
	shlq	$2, %r12
	movq	%r12, -56(%rsp)
	imulq	%r15, %r8
	movq	%r10, -72(%rsp)
	imulq	%r10, %r8
	leaq	2(%r8), %rcx
	imulq	%rax, %rcx
	incq	%r8
	imulq	%rax, %r8
	leaq	(,%rax,4), %rax
	movq	%rax, (%rsp)
	shlq	$2, %r9
	leaq	8(%rdi,%rcx,4), %rax
	movq	%rax, -104(%rsp)
	leaq	8(%rdi,%r8,4), %rax
	movq	%rax, -112(%rsp)
	addq	$32, %rsi
	movq	%rsi, -64(%rsp)
	leaq	(,%r15,4), %rax
	leaq	(%rax,%rax,8), %rax
	movq	%rax, -32(%rsp)
	andq	$-64, %r14
	shlq	$2, %r14
	movq	%r14, -24(%rsp)
	movq	%rdx, -8(%rsp)
	leaq	(%rdx,%r11,4), %rax
	movq	%rax, -16(%rsp)
	movq	$0, -128(%rsp)
	jmp	.LBB3_2
	.p2align	4
.LBB3_7:
	movq	-128(%rsp), %rcx
	incq	%rcx
	movq	-56(%rsp), %rax
	addq	%rax, -96(%rsp)
	addq	%rax, -104(%rsp)
	addq	%rax, -112(%rsp)
	movq	%rcx, -128(%rsp)
	cmpq	-48(%rsp), %rcx
	je	.LBB3_8
.LBB3_2:
	movzbl	(%rbx), %ecx
	movl	$2, %eax
	testb	%cl, %cl
	jne	.LBB3_9
	cmpq	$0, 72(%rsp)
	jle	.LBB3_7
	movq	-72(%rsp), %rax
	movq	-128(%rsp), %rcx
	addq	%rcx, %rax
	imulq	72(%rsp), %rax
	movq	%rax, -40(%rsp)
	movq	-64(%rsp), %r8
	movq	$0, -120(%rsp)
	jmp	.LBB3_5
	.p2align	4
.LBB3_23:
	movq	-120(%rsp), %rcx
	incq	%rcx
	addq	-32(%rsp), %r8
	movq	%rcx, -120(%rsp)
	cmpq	%rcx, 72(%rsp)
	movq	136(%rsp), %rbx
	je	.LBB3_7
.LBB3_5:
	movzbl	(%rbx), %eax
	testb	%al, %al
	jne	.LBB3_6
	cmpq	$0, 88(%rsp)
	jle	.LBB3_23
	movq	-40(%rsp), %rax
	movq	-120(%rsp), %rcx
	addq	%rcx, %rax
	imulq	96(%rsp), %rax
	movq	%rax, -88(%rsp)
	movq	-112(%rsp), %r14
	movq	-104(%rsp), %rdx
	movq	-96(%rsp), %rsi
	xorl	%r10d, %r10d
	jmp	.LBB3_12
	.p2align	4
.LBB3_21:
	vxorps	%xmm3, %xmm3, %xmm3
	vxorps	%xmm2, %xmm2, %xmm2
	vpxor	%xmm0, %xmm0, %xmm0
.LBB3_26:
	movq	-88(%rsp), %rax
	addq	%r10, %rax
	imulq	104(%rsp), %rax
	movq	-16(%rsp), %rcx
	vmovups	%zmm1, (%rcx,%rax,4) {%k1}
	vmovups	%zmm3, 64(%rcx,%rax,4) {%k2}
	vmovups	%zmm2, 128(%rcx,%rax,4) {%k3}
	vmovups	%zmm0, 192(%rcx,%rax,4) {%k4}
.LBB3_22:
	incq	%r10
	movq	(%rsp), %rax
	addq	%rax, %rsi
	addq	%rax, %rdx
	addq	%rax, %r14
	cmpq	%r10, 88(%rsp)
	je	.LBB3_23
.LBB3_12:
	movq	%r10, -80(%rsp)
	testq	%r11, %r11
	je	.LBB3_19
	movq	-88(%rsp), %rax
	movq	-80(%rsp), %rcx
	addq	%rcx, %rax
	imulq	104(%rsp), %rax
	movq	-8(%rsp), %rcx
	leaq	(%rcx,%rax,4), %r12
	movq	%r14, %rdi
	movq	%rdx, %rbx
	movq	%rsi, %rbp
	xorl	%r13d, %r13d
	jmp	.LBB3_14
	.p2align	4
.LBB3_15:
	vxorps	%xmm1, %xmm1, %xmm1
	vxorps	%xmm2, %xmm2, %xmm2
	vxorps	%xmm3, %xmm3, %xmm3
.LBB3_18:
	vmovups	%zmm0, (%r12,%r13,4)
	vmovups	%zmm1, 64(%r12,%r13,4)
	vmovups	%zmm2, 128(%r12,%r13,4)
	vmovups	%zmm3, 192(%r12,%r13,4)
	addq	$64, %r13
	addq	$256, %rbp
	addq	$256, %rbx
	addq	$256, %rdi
	cmpq	%r11, %r13
	je	.LBB3_19
.LBB3_14:
	vpxor	%xmm0, %xmm0, %xmm0
	testq	%r15, %r15
	jle	.LBB3_15
	movq	%r15, %rcx
	movq	%r8, %rax
	xorl	%r10d, %r10d
	vxorps	%xmm1, %xmm1, %xmm1
	vxorps	%xmm2, %xmm2, %xmm2
	vxorps	%xmm3, %xmm3, %xmm3
	.p2align	4
.LBB3_17:
	vbroadcastss	-32(%rax), %zmm4
	vfmadd231ps	56(%rbp,%r10), %zmm4, %zmm1
	vfmadd231ps	-8(%rbp,%r10), %zmm4, %zmm0
	vfmadd231ps	120(%rbp,%r10), %zmm4, %zmm2
	vfmadd231ps	184(%rbp,%r10), %zmm4, %zmm3
	vbroadcastss	-28(%rax), %zmm4
	vfmadd231ps	188(%rbp,%r10), %zmm4, %zmm3
	vfmadd231ps	124(%rbp,%r10), %zmm4, %zmm2
	vfmadd231ps	-4(%rbp,%r10), %zmm4, %zmm0
	vfmadd231ps	60(%rbp,%r10), %zmm4, %zmm1
	vbroadcastss	-24(%rax), %zmm4
	vfmadd231ps	64(%rbp,%r10), %zmm4, %zmm1
	vfmadd231ps	(%rbp,%r10), %zmm4, %zmm0
	vfmadd231ps	128(%rbp,%r10), %zmm4, %zmm2
	vfmadd231ps	192(%rbp,%r10), %zmm4, %zmm3
	vbroadcastss	-20(%rax), %zmm4
	vfmadd231ps	184(%rdi,%r10), %zmm4, %zmm3
	vfmadd231ps	120(%rdi,%r10), %zmm4, %zmm2
	vfmadd231ps	-8(%rdi,%r10), %zmm4, %zmm0
	vfmadd231ps	56(%rdi,%r10), %zmm4, %zmm1
	vbroadcastss	-16(%rax), %zmm4
	vfmadd231ps	60(%rdi,%r10), %zmm4, %zmm1
	vfmadd231ps	-4(%rdi,%r10), %zmm4, %zmm0
	vfmadd231ps	124(%rdi,%r10), %zmm4, %zmm2
	vfmadd231ps	188(%rdi,%r10), %zmm4, %zmm3
	vbroadcastss	-12(%rax), %zmm4
	vfmadd231ps	192(%rdi,%r10), %zmm4, %zmm3
	vfmadd231ps	128(%rdi,%r10), %zmm4, %zmm2
	vfmadd231ps	(%rdi,%r10), %zmm4, %zmm0
	vfmadd231ps	64(%rdi,%r10), %zmm4, %zmm1
	vbroadcastss	-8(%rax), %zmm4
	vfmadd231ps	56(%rbx,%r10), %zmm4, %zmm1
	vfmadd231ps	-8(%rbx,%r10), %zmm4, %zmm0
	vfmadd231ps	120(%rbx,%r10), %zmm4, %zmm2
	vfmadd231ps	184(%rbx,%r10), %zmm4, %zmm3
	vbroadcastss	-4(%rax), %zmm4
	vfmadd231ps	188(%rbx,%r10), %zmm4, %zmm3
	vfmadd231ps	124(%rbx,%r10), %zmm4, %zmm2
	vfmadd231ps	-4(%rbx,%r10), %zmm4, %zmm0
	vfmadd231ps	60(%rbx,%r10), %zmm4, %zmm1
	vbroadcastss	(%rax), %zmm4
	vfmadd231ps	64(%rbx,%r10), %zmm4, %zmm1
	vfmadd231ps	(%rbx,%r10), %zmm4, %zmm0
	vfmadd231ps	128(%rbx,%r10), %zmm4, %zmm2
	vfmadd231ps	192(%rbx,%r10), %zmm4, %zmm3
	addq	%r9, %r10
	addq	$36, %rax
	decq	%rcx
	jne	.LBB3_17
	jmp	.LBB3_18
	.p2align	4
.LBB3_19:
	cmpq	$0, 8(%rsp)
	movq	-80(%rsp), %r10
	je	.LBB3_22
	vxorps	%xmm1, %xmm1, %xmm1
	testq	%r15, %r15
	jle	.LBB3_21
	movq	%r15, %rdi
	movq	%r8, %rbx
	movq	-24(%rsp), %r12
	vxorps	%xmm3, %xmm3, %xmm3
	vxorps	%xmm2, %xmm2, %xmm2
	vpxor	%xmm0, %xmm0, %xmm0
	.p2align	4
.LBB3_25:
	vmovups	184(%rsi,%r12), %zmm4 {%k4} {z}
	vmovups	120(%rsi,%r12), %zmm5 {%k3} {z}
	vmovups	56(%rsi,%r12), %zmm6 {%k2} {z}
	vmovups	-8(%rsi,%r12), %zmm7 {%k1} {z}
	vbroadcastss	-32(%rbx), %zmm8
	vfmadd213ps	%zmm1, %zmm8, %zmm7
	vfmadd213ps	%zmm3, %zmm8, %zmm6
	vfmadd213ps	%zmm2, %zmm8, %zmm5
	vmovups	-4(%rsi,%r12), %zmm1 {%k1} {z}
	vmovups	60(%rsi,%r12), %zmm2 {%k2} {z}
	vmovups	124(%rsi,%r12), %zmm3 {%k3} {z}
	vmovups	188(%rsi,%r12), %zmm9 {%k4} {z}
	vfmadd213ps	%zmm0, %zmm8, %zmm4
	vbroadcastss	-28(%rbx), %zmm0
	vfmadd213ps	%zmm4, %zmm0, %zmm9
	vfmadd213ps	%zmm5, %zmm0, %zmm3
	vfmadd213ps	%zmm6, %zmm0, %zmm2
	vmovups	192(%rsi,%r12), %zmm4 {%k4} {z}
	vmovups	128(%rsi,%r12), %zmm5 {%k3} {z}
	vmovups	64(%rsi,%r12), %zmm6 {%k2} {z}
	vfmadd213ps	%zmm7, %zmm0, %zmm1
	vmovups	(%rsi,%r12), %zmm0 {%k1} {z}
	vbroadcastss	-24(%rbx), %zmm7
	vfmadd213ps	%zmm1, %zmm7, %zmm0
	vfmadd213ps	%zmm2, %zmm7, %zmm6
	vfmadd213ps	%zmm3, %zmm7, %zmm5
	vmovups	-8(%r14,%r12), %zmm1 {%k1} {z}
	vmovups	56(%r14,%r12), %zmm2 {%k2} {z}
	vmovups	120(%r14,%r12), %zmm3 {%k3} {z}
	vmovups	184(%r14,%r12), %zmm8 {%k4} {z}
	vbroadcastss	-20(%rbx), %zmm10
	vfmadd213ps	%zmm9, %zmm7, %zmm4
	vfmadd213ps	%zmm4, %zmm10, %zmm8
	vfmadd213ps	%zmm5, %zmm10, %zmm3
	vfmadd213ps	%zmm6, %zmm10, %zmm2
	vmovups	188(%r14,%r12), %zmm4 {%k4} {z}
	vmovups	124(%r14,%r12), %zmm5 {%k3} {z}
	vmovups	60(%r14,%r12), %zmm6 {%k2} {z}
	vmovups	-4(%r14,%r12), %zmm7 {%k1} {z}
	vfmadd213ps	%zmm0, %zmm10, %zmm1
	vbroadcastss	-16(%rbx), %zmm0
	vfmadd213ps	%zmm1, %zmm0, %zmm7
	vfmadd213ps	%zmm2, %zmm0, %zmm6
	vfmadd213ps	%zmm3, %zmm0, %zmm5
	vmovups	(%r14,%r12), %zmm1 {%k1} {z}
	vmovups	64(%r14,%r12), %zmm2 {%k2} {z}
	vmovups	128(%r14,%r12), %zmm3 {%k3} {z}
	vfmadd213ps	%zmm8, %zmm0, %zmm4
	vmovups	192(%r14,%r12), %zmm0 {%k4} {z}
	vbroadcastss	-12(%rbx), %zmm8
	vfmadd213ps	%zmm4, %zmm8, %zmm0
	vfmadd213ps	%zmm5, %zmm8, %zmm3
	vfmadd213ps	%zmm6, %zmm8, %zmm2
	vmovups	184(%rdx,%r12), %zmm4 {%k4} {z}
	vmovups	120(%rdx,%r12), %zmm5 {%k3} {z}
	vmovups	56(%rdx,%r12), %zmm6 {%k2} {z}
	vmovups	-8(%rdx,%r12), %zmm9 {%k1} {z}
	vbroadcastss	-8(%rbx), %zmm10
	vfmadd213ps	%zmm7, %zmm8, %zmm1
	vfmadd213ps	%zmm1, %zmm10, %zmm9
	vfmadd213ps	%zmm2, %zmm10, %zmm6
	vfmadd213ps	%zmm3, %zmm10, %zmm5
	vmovups	-4(%rdx,%r12), %zmm7 {%k1} {z}
	vmovups	60(%rdx,%r12), %zmm8 {%k2} {z}
	vmovups	124(%rdx,%r12), %zmm11 {%k3} {z}
	vmovups	188(%rdx,%r12), %zmm12 {%k4} {z}
	vfmadd213ps	%zmm0, %zmm10, %zmm4
	vbroadcastss	-4(%rbx), %zmm1
	vfmadd213ps	%zmm4, %zmm1, %zmm12
	vfmadd213ps	%zmm5, %zmm1, %zmm11
	vfmadd213ps	%zmm6, %zmm1, %zmm8
	vmovups	192(%rdx,%r12), %zmm0 {%k4} {z}
	vmovups	128(%rdx,%r12), %zmm2 {%k3} {z}
	vmovups	64(%rdx,%r12), %zmm3 {%k2} {z}
	vfmadd213ps	%zmm9, %zmm1, %zmm7
	vmovups	(%rdx,%r12), %zmm1 {%k1} {z}
	vbroadcastss	(%rbx), %zmm4
	vfmadd213ps	%zmm7, %zmm4, %zmm1
	vfmadd213ps	%zmm8, %zmm4, %zmm3
	vfmadd213ps	%zmm11, %zmm4, %zmm2
	vfmadd213ps	%zmm12, %zmm4, %zmm0
	addq	%r9, %r12
	addq	$36, %rbx
	decq	%rdi
	jne	.LBB3_25
	jmp	.LBB3_26
.LBB3_6:
	movl	$2, %eax
.LBB3_9:
	addq	$16, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end3:
	.size	segment0.parallel.1, .Lfunc_end3-segment0.parallel.1

	.p2align	4
	.type	segment0.chunk.2,@function
segment0.chunk.2:
	pushq	%r14
	pushq	%rbx
	subq	$88, %rsp
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rbx
	movq	24(%rdi), %r10
	movq	32(%rdi), %r11
	movq	40(%rdi), %r9
	vmovups	48(%rdi), %ymm0
	vmovups	80(%rdi), %xmm1
	movq	(%r8), %rdi
	testq	%rdi, %rdi
	leaq	.Lweft_never(%rip), %r14
	cmovneq	%rdi, %r14
	movq	%r8, 72(%rsp)
	movq	%r14, 64(%rsp)
	movq	%rcx, 56(%rsp)
	movq	%rdx, 48(%rsp)
	vmovups	%xmm1, 32(%rsp)
	vmovups	%ymm0, (%rsp)
	movq	%rax, %rdi
	movq	%rbx, %rdx
	movq	%r10, %rcx
	movq	%r11, %r8
	vzeroupper
	callq	segment0.parallel.1
	addq	$88, %rsp
	popq	%rbx
	popq	%r14
	retq
.Lfunc_end4:
	.size	segment0.chunk.2, .Lfunc_end4-segment0.chunk.2

	.globl	segment0
	.p2align	4
	.type	segment0,@function
segment0:
	subq	$40, %rsp
	movq	(%rsi), %rax
	movq	8(%rsi), %r11
	movq	16(%rsi), %r10
	movq	(%rdi), %rcx
	movq	8(%rdi), %r8
	movq	16(%rdi), %r9
	vmovups	24(%rdi), %xmm0
	movq	(%rdx), %rsi
	testq	%rsi, %rsi
	leaq	.Lweft_never(%rip), %rdi
	cmovneq	%rsi, %rdi
	movq	%rdx, 24(%rsp)
	movq	%rdi, 16(%rsp)
	vmovups	%xmm0, (%rsp)
	movq	%rax, %rdi
	movq	%r11, %rsi
	movq	%r10, %rdx
	callq	segment0.inner
	addq	$40, %rsp
	retq
.Lfunc_end5:
	.size	segment0, .Lfunc_end5-segment0

	.type	.Lweft_never,@object
	.local	.Lweft_never
	.comm	.Lweft_never,1,1
	.section	".note.GNU-stack","",@progbits
