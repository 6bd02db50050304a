
k.o:     file format elf64-x86-64


Disassembly of section .text:

0000000000000000 <segment0.inner>:
       0:	push   %rbp
       1:	push   %r15
       3:	push   %r14
       5:	push   %r13
       7:	push   %r12
       9:	push   %rbx
       a:	sub    $0x118,%rsp
      11:	mov    %r8,%r11
      14:	mov    %rsi,%r8
      17:	mov    0x168(%rsp),%rbx
      1f:	mov    0x160(%rsp),%rbp
      27:	mov    0x158(%rsp),%rsi
      2f:	mov    0x150(%rsp),%r10
      37:	lea    -0x2(%r10),%r14
      3b:	lea    -0x2(%r9),%r15
      3f:	mov    %r15,%rax
      42:	sar    $0x3f,%rax
      46:	andn   %r15,%rax,%r12
      4b:	mov    %r14,%rax
      4e:	sar    $0x3f,%rax
      52:	andn   %r14,%rax,%r13
      57:	xor    %eax,%eax
      59:	cmp    $0x10,%rsi
      5d:	jl     1b8 <segment0.inner+0x1b8>
      63:	test   %rcx,%rcx
      66:	cmovle %rax,%rcx
      6a:	jle    39b <segment0.inner+0x39b>
      70:	vcvtsi2sd %r13,%xmm15,%xmm0
      75:	vmovsd 0x0(%rip),%xmm1        # 7d <segment0.inner+0x7d>
      7d:	vmulsd %xmm1,%xmm0,%xmm0
      81:	vmovsd 0x0(%rip),%xmm2        # 89 <segment0.inner+0x89>
      89:	vaddsd %xmm2,%xmm0,%xmm0
      8d:	vcvtusi2sd %rsi,%xmm15,%xmm3
      93:	vmulsd %xmm3,%xmm0,%xmm0
      97:	vaddsd %xmm2,%xmm0,%xmm0
      9b:	vmovsd 0x0(%rip),%xmm3        # a3 <segment0.inner+0xa3>
      a3:	vaddsd %xmm3,%xmm0,%xmm0
      a7:	vaddsd 0x0(%rip),%xmm0,%xmm0        # af <segment0.inner+0xaf>
      af:	vaddsd %xmm1,%xmm0,%xmm0
      b3:	mov    %r11,%rax
      b6:	sar    $0x3f,%rax
      ba:	andn   %r11,%rax,%rax
      bf:	lea    (%rax,%rax,8),%rbp
      c3:	lea    -0x1(%rax,%rax,8),%rax
      c8:	shr    $0x8,%rax
      cc:	inc    %rax
      cf:	mov    %r10,%rbx
      d2:	xor    %r10d,%r10d
      d5:	test   %rbp,%rbp
      d8:	cmovg  %rax,%r10
      dc:	vcvtsi2sd %r10,%xmm15,%xmm1
      e1:	vmulsd 0x0(%rip),%xmm1,%xmm1        # e9 <segment0.inner+0xe9>
      e9:	lea    0xff(%rsi),%rax
      f0:	mov    %rax,%r10
      f3:	sar    $0x8,%r10
      f7:	sar    $0x3f,%rax
      fb:	andn   %r10,%rax,%rax
     100:	lea    0x1fd(%rbx),%r10
     107:	mov    %r10,%rbp
     10a:	sar    $0x9,%rbp
     10e:	sar    $0x3f,%r10
     112:	andn   %rbp,%r10,%r10
     117:	imul   %rax,%r10
     11b:	mov    %r10,%rax
     11e:	sar    $0x3f,%rax
     122:	andn   %r10,%rax,%rax
     127:	vcvtsi2sd %rax,%xmm15,%xmm4
     12c:	vaddsd %xmm3,%xmm1,%xmm1
     130:	vmulsd %xmm4,%xmm1,%xmm1
     134:	vaddsd %xmm1,%xmm0,%xmm0
     138:	vcvtsi2sd %r12,%xmm15,%xmm1
     13d:	vmulsd %xmm1,%xmm0,%xmm0
     141:	vaddsd %xmm2,%xmm0,%xmm0
     145:	vcvtsi2sd %rcx,%xmm15,%xmm1
     14a:	vmulsd %xmm1,%xmm0,%xmm0
     14e:	vucomisd 0x0(%rip),%xmm0        # 156 <segment0.inner+0x156>
     156:	jae    28f <segment0.inner+0x28f>
     15c:	mov    0x168(%rsp),%rax
     164:	mov    %rax,0x48(%rsp)
     169:	mov    0x160(%rsp),%rax
     171:	mov    %rax,0x40(%rsp)
     176:	mov    %rcx,0x38(%rsp)
     17b:	vxorpd %xmm0,%xmm0,%xmm0
     17f:	vmovupd %xmm0,0x28(%rsp)
     185:	mov    %r13,0x20(%rsp)
     18a:	mov    %r12,0x18(%rsp)
     18f:	mov    %r15,0x10(%rsp)
     194:	mov    %r14,0x8(%rsp)
     199:	mov    %rsi,(%rsp)
     19d:	mov    %r8,%rsi
     1a0:	mov    %r11,%rcx
     1a3:	mov    %r9,%r8
     1a6:	mov    0x150(%rsp),%r9
     1ae:	call   3b0 <segment0.parallel>
     1b3:	jmp    39b <segment0.inner+0x39b>
     1b8:	test   %rcx,%rcx
     1bb:	cmovle %rax,%rcx
     1bf:	jle    39b <segment0.inner+0x39b>
     1c5:	mov    %r11,%rax
     1c8:	sar    $0x3f,%rax
     1cc:	andn   %r11,%rax,%rax
     1d1:	vcvtsi2sd %rax,%xmm15,%xmm0
     1d6:	vmulsd 0x0(%rip),%xmm0,%xmm0        # 1de <segment0.inner+0x1de>
     1de:	vaddsd 0x0(%rip),%xmm0,%xmm0        # 1e6 <segment0.inner+0x1e6>
     1e6:	vaddsd 0x0(%rip),%xmm0,%xmm0        # 1ee <segment0.inner+0x1ee>
     1ee:	vcvtsi2sd %r13,%xmm15,%xmm1
     1f3:	vmulsd 0x0(%rip),%xmm1,%xmm1        # 1fb <segment0.inner+0x1fb>
     1fb:	vmulsd %xmm1,%xmm0,%xmm0
     1ff:	vmovsd 0x0(%rip),%xmm1        # 207 <segment0.inner+0x207>
     207:	vaddsd %xmm1,%xmm0,%xmm0
     20b:	vcvtsi2sd %r12,%xmm15,%xmm2
     210:	vmulsd %xmm2,%xmm0,%xmm0
     214:	vaddsd %xmm1,%xmm0,%xmm0
     218:	mov    %rsi,%rax
     21b:	sar    $0x3f,%rax
     21f:	andn   %rsi,%rax,%rax
     224:	vcvtsi2sd %rax,%xmm15,%xmm2
     229:	vmulsd %xmm2,%xmm0,%xmm0
     22d:	vaddsd %xmm1,%xmm0,%xmm0
     231:	vcvtsi2sd %rcx,%xmm15,%xmm1
     236:	vmulsd %xmm1,%xmm0,%xmm0
     23a:	vucomisd 0x0(%rip),%xmm0        # 242 <segment0.inner+0x242>
     242:	jae    326 <segment0.inner+0x326>
     248:	mov    %rbx,0x48(%rsp)
     24d:	mov    %rbp,0x40(%rsp)
     252:	mov    %rcx,0x38(%rsp)
     257:	vxorpd %xmm0,%xmm0,%xmm0
     25b:	vmovupd %xmm0,0x28(%rsp)
     261:	mov    %r13,0x20(%rsp)
     266:	mov    %r12,0x18(%rsp)
     26b:	mov    %r15,0x10(%rsp)
     270:	mov    %r14,0x8(%rsp)
     275:	mov    %rsi,(%rsp)
     279:	mov    %r8,%rsi
     27c:	mov    %r11,%rcx
     27f:	mov    %r9,%r8
     282:	mov    %r10,%r9
     285:	call   1a70 <segment0.parallel.1>
     28a:	jmp    39b <segment0.inner+0x39b>
     28f:	lea    0x3f(%rcx),%rax
     293:	shr    $0x6,%rax
     297:	mov    %rdi,0xb8(%rsp)
     29f:	mov    %r8,0xc0(%rsp)
     2a7:	mov    %rdx,0xc8(%rsp)
     2af:	mov    %r11,0xd0(%rsp)
     2b7:	mov    %r9,0xd8(%rsp)
     2bf:	mov    0x150(%rsp),%rdx
     2c7:	mov    %rdx,0xe0(%rsp)
     2cf:	mov    %rsi,0xe8(%rsp)
     2d7:	mov    %r14,0xf0(%rsp)
     2df:	mov    %r15,0xf8(%rsp)
     2e7:	mov    %r12,0x100(%rsp)
     2ef:	mov    %r13,0x108(%rsp)
     2f7:	movq   $0x0,0x110(%rsp)
     303:	lea    0x16e6(%rip),%rsi        # 19f0 <segment0.chunk>
     30a:	lea    0xb8(%rsp),%rdi
     312:	mov    %rcx,%rdx
     315:	mov    %rax,%rcx
     318:	mov    0x168(%rsp),%r8
     320:	call   *0x8(%r8)
     324:	jmp    39b <segment0.inner+0x39b>
     326:	lea    0x3f(%rcx),%rax
     32a:	shr    $0x6,%rax
     32e:	mov    %rdi,0x58(%rsp)
     333:	mov    %r8,0x60(%rsp)
     338:	mov    %rdx,0x68(%rsp)
     33d:	mov    %r11,0x70(%rsp)
     342:	mov    %r9,0x78(%rsp)
     347:	mov    %r10,0x80(%rsp)
     34f:	mov    %rsi,0x88(%rsp)
     357:	mov    %r14,0x90(%rsp)
     35f:	mov    %r15,0x98(%rsp)
     367:	mov    %r12,0xa0(%rsp)
     36f:	mov    %r13,0xa8(%rsp)
     377:	movq   $0x0,0xb0(%rsp)
     383:	lea    0x1f16(%rip),%rsi        # 22a0 <segment0.chunk.2>
     38a:	lea    0x58(%rsp),%rdi
     38f:	mov    %rcx,%rdx
     392:	mov    %rax,%rcx
     395:	mov    %rbx,%r8
     398:	call   *0x8(%rbx)
     39b:	add    $0x118,%rsp
     3a2:	pop    %rbx
     3a3:	pop    %r12
     3a5:	pop    %r13
     3a7:	pop    %r14
     3a9:	pop    %r15
     3ab:	pop    %rbp
     3ac:	ret
     3ad:	nopl   (%rax)

00000000000003b0 <segment0.parallel>:
     3b0:	push   %rbp
     3b1:	mov    %rsp,%rbp
     3b4:	push   %r15
     3b6:	push   %r14
     3b8:	push   %r13
     3ba:	push   %r12
     3bc:	push   %rbx
     3bd:	and    $0xffffffffffffffc0,%rsp
     3c1:	sub    $0x904c0,%rsp
     3c8:	mov    %r9,0x1f0(%rsp)
     3d0:	mov    %r8,0x1e8(%rsp)
     3d8:	mov    %rsi,0x198(%rsp)
     3e0:	mov    %rdi,0x1b8(%rsp)
     3e8:	mov    0x40(%rbp),%r9
     3ec:	mov    0x48(%rbp),%rax
     3f0:	sub    %r9,%rax
     3f3:	mov    %rax,0x178(%rsp)
     3fb:	jne    404 <segment0.parallel+0x54>
     3fd:	xor    %eax,%eax
     3ff:	jmp    19d6 <segment0.parallel+0x1626>
     404:	mov    0x30(%rbp),%r10
     408:	mov    0x18(%rbp),%r11
     40c:	mov    0x10(%rbp),%rbx
     410:	add    0x38(%rbp),%r9
     414:	mov    %rcx,%rdi
     417:	mov    %rdx,%r8
     41a:	mov    %rcx,%rax
     41d:	sar    $0x3f,%rax
     421:	andn   %rcx,%rax,%rcx
     426:	lea    (%rcx,%rcx,8),%rax
     42a:	mov    %rax,0x20(%rsp)
     42f:	test   %rax,%rax
     432:	setg   %al
     435:	test   %rbx,%rbx
     438:	setle  %r14b
     43c:	mov    %r11,%rdx
     43f:	sar    $0x3f,%rdx
     443:	andn   %r11,%rdx,%r15
     448:	lea    0xff(%rbx),%rdx
     44f:	mov    %rdx,%rsi
     452:	sar    $0x8,%rsi
     456:	sar    $0x3f,%rdx
     45a:	andn   %rsi,%rdx,%rdx
     45f:	lea    0x1ff(%r11),%rsi
     466:	sar    $0x9,%rsi
     46a:	xor    %r11d,%r11d
     46d:	test   %rsi,%rsi
     470:	cmovle %r11,%rsi
     474:	mov    $0x1,%r11d
     47a:	cmovg  %rsi,%r11
     47e:	imul   %rdx,%rsi
     482:	mov    %rsi,0xe8(%rsp)
     48a:	lea    -0x1(%rcx,%rcx,8),%rcx
     48f:	shr    $0x8,%rcx
     493:	mov    %rcx,0x1a0(%rsp)
     49b:	mov    %rdi,0x168(%rsp)
     4a3:	lea    0x0(,%rdi,4),%rcx
     4ab:	lea    (%rcx,%rcx,8),%rcx
     4af:	mov    %rcx,0x120(%rsp)
     4b7:	or     %al,%r14b
     4ba:	mov    %r14b,0x7(%rsp)
     4bf:	mov    %r10,%rdx
     4c2:	imul   0x28(%rbp),%rdx
     4c7:	mov    %rdx,%rsi
     4ca:	imul   %rbx,%rsi
     4ce:	mov    %rsi,%rax
     4d1:	mov    %r9,0x160(%rsp)
     4d9:	imul   %r9,%rax
     4dd:	mov    %r11,%r9
     4e0:	shl    $0x2,%rsi
     4e4:	mov    %rsi,0x170(%rsp)
     4ec:	shl    $0x2,%rdx
     4f0:	mov    %rdx,0x190(%rsp)
     4f8:	movabs $0x7ffffffffffffff8,%r11
     502:	and    %r15,%r11
     505:	lea    0x1c(%r8,%rax,4),%rcx
     50a:	mov    %rcx,0xd0(%rsp)
     512:	mov    %r8,0x1d8(%rsp)
     51a:	lea    (%r8,%rax,4),%rax
     51e:	mov    %rax,0xc8(%rsp)
     526:	mov    %r15,0x188(%rsp)
     52e:	and    $0x7,%r15d
     532:	vmovdqa64 0x0(%rip),%zmm0        # 53c <segment0.parallel+0x18c>
     53c:	vmovdqa64 0x0(%rip),%zmm1        # 546 <segment0.parallel+0x196>
     546:	vmovdqa64 0x0(%rip),%zmm2        # 550 <segment0.parallel+0x1a0>
     550:	vmovdqa64 0x0(%rip),%zmm3        # 55a <segment0.parallel+0x1aa>
     55a:	vxorps %xmm4,%xmm4,%xmm4
     55e:	vxorps %xmm5,%xmm5,%xmm5
     562:	mov    0x50(%rbp),%rax
     566:	lea    0x0(,%r10,4),%rcx
     56e:	mov    %rcx,0x180(%rsp)
     576:	movq   $0x0,0x58(%rsp)
     57f:	mov    %r9,0x1a8(%rsp)
     587:	mov    %r11,0x150(%rsp)
     58f:	mov    %r15,0x148(%rsp)
     597:	jmp    5d7 <segment0.parallel+0x227>
     599:	nopl   0x0(%rax)
     5a0:	mov    0x58(%rsp),%rcx
     5a5:	inc    %rcx
     5a8:	mov    0x170(%rsp),%rax
     5b0:	add    %rax,0xd0(%rsp)
     5b8:	add    %rax,0xc8(%rsp)
     5c0:	mov    %rcx,0x58(%rsp)
     5c5:	cmp    0x178(%rsp),%rcx
     5cd:	mov    0x50(%rbp),%rax
     5d1:	je     3fd <segment0.parallel+0x4d>
     5d7:	movzbl (%rax),%eax
     5da:	test   %al,%al
     5dc:	jne    19d1 <segment0.parallel+0x1621>
     5e2:	cmpq   $0x0,0x20(%rbp)
     5e7:	jle    5a0 <segment0.parallel+0x1f0>
     5e9:	mov    0x160(%rsp),%rax
     5f1:	mov    0x58(%rsp),%rcx
     5f6:	add    %rcx,%rax
     5f9:	mov    %rax,%rcx
     5fc:	imul   0x10(%rbp),%rcx
     601:	mov    %rcx,0x230(%rsp)
     609:	imul   0x168(%rsp),%rax
     612:	mov    %rax,0x1e0(%rsp)
     61a:	mov    0xc8(%rsp),%rax
     622:	mov    %rax,0xe0(%rsp)
     62a:	mov    0xd0(%rsp),%rax
     632:	mov    %rax,0xd8(%rsp)
     63a:	movq   $0x0,0x38(%rsp)
     643:	jmp    67f <segment0.parallel+0x2cf>
     645:	data16 cs nopw 0x0(%rax,%rax,1)
     650:	mov    0x38(%rsp),%rcx
     655:	inc    %rcx
     658:	mov    0x180(%rsp),%rax
     660:	add    %rax,0xd8(%rsp)
     668:	add    %rax,0xe0(%rsp)
     670:	mov    %rcx,0x38(%rsp)
     675:	cmp    %rcx,0x20(%rbp)
     679:	je     5a0 <segment0.parallel+0x1f0>
     67f:	mov    0x50(%rbp),%rax
     683:	movzbl (%rax),%eax
     686:	test   %al,%al
     688:	jne    19d1 <segment0.parallel+0x1621>
     68e:	cmpb   $0x0,0x7(%rsp)
     693:	je     1950 <segment0.parallel+0x15a0>
     699:	cmpq   $0x0,0xe8(%rsp)
     6a2:	jle    650 <segment0.parallel+0x2a0>
     6a4:	movq   $0x0,0x60(%rsp)
     6ad:	xor    %eax,%eax
     6af:	jmp    6f2 <segment0.parallel+0x342>
     6b1:	data16 cs nopw 0x0(%rax,%rax,1)
     6bc:	nopl   0x0(%rax)
     6c0:	mov    0x60(%rsp),%rax
     6c5:	inc    %rax
     6c8:	cmp    %r9,%rax
     6cb:	mov    $0x0,%ecx
     6d0:	cmovne %rax,%rcx
     6d4:	mov    %rcx,0x60(%rsp)
     6d9:	mov    0xf0(%rsp),%rax
     6e1:	inc    %rax
     6e4:	cmp    %rax,0xe8(%rsp)
     6ec:	je     650 <segment0.parallel+0x2a0>
     6f2:	mov    %rax,0xf0(%rsp)
     6fa:	cmpq   $0x0,0x20(%rsp)
     700:	jle    6c0 <segment0.parallel+0x310>
     702:	mov    0xf0(%rsp),%rax
     70a:	mov    %rax,%rcx
     70d:	or     %r9,%rcx
     710:	shr    $0x20,%rcx
     714:	je     730 <segment0.parallel+0x380>
     716:	xor    %edx,%edx
     718:	div    %r9
     71b:	mov    %rax,%rsi
     71e:	mov    0x60(%rsp),%rdx
     723:	jmp    737 <segment0.parallel+0x387>
     725:	data16 cs nopw 0x0(%rax,%rax,1)
     730:	xor    %edx,%edx
     732:	div    %r9d
     735:	mov    %eax,%esi
     737:	shl    $0x9,%rdx
     73b:	lea    0x200(%rdx),%rcx
     742:	mov    0x18(%rbp),%rax
     746:	cmp    %rax,%rcx
     749:	cmovge %rax,%rcx
     74d:	mov    %rdx,%rdi
     750:	not    %rdi
     753:	add    %rcx,%rdi
     756:	shr    $0x5,%rdi
     75a:	inc    %rdi
     75d:	mov    %rdx,0x30(%rsp)
     762:	mov    %rcx,0x28(%rsp)
     767:	cmp    %rcx,%rdx
     76a:	mov    $0x0,%eax
     76f:	cmovge %rax,%rdi
     773:	mov    %rdi,0x110(%rsp)
     77b:	shl    $0x8,%rsi
     77f:	lea    0x100(%rsi),%rcx
     786:	mov    0x10(%rbp),%rax
     78a:	cmp    %rax,%rcx
     78d:	cmovge %rax,%rcx
     791:	mov    %rsi,%rax
     794:	not    %rax
     797:	mov    %rcx,0x100(%rsp)
     79f:	add    %rcx,%rax
     7a2:	shr    $0x6,%rax
     7a6:	mov    %rax,0x1c0(%rsp)
     7ae:	mov    $0x100,%ebx
     7b3:	movq   $0xfffffffffffffff0,0xf8(%rsp)
     7bf:	movq   $0x0,0x68(%rsp)
     7c8:	xor    %r14d,%r14d
     7cb:	xor    %eax,%eax
     7cd:	mov    %rsi,0x108(%rsp)
     7d5:	jmp    825 <segment0.parallel+0x475>
     7d7:	nopw   0x0(%rax,%rax,1)
     7e0:	add    $0x100,%rbx
     7e7:	add    $0x100,%r14
     7ee:	addq   $0xffffffffffffff00,0x68(%rsp)
     7f7:	addq   $0xffffffffffffff00,0xf8(%rsp)
     803:	mov    0x1b0(%rsp),%rax
     80b:	cmp    %rax,0x1a0(%rsp)
     813:	lea    0x1(%rax),%rax
     817:	mov    0x1a8(%rsp),%r9
     81f:	je     6c0 <segment0.parallel+0x310>
     825:	mov    %rax,%rcx
     828:	mov    0x20(%rsp),%rax
     82d:	cmp    %rax,%rbx
     830:	mov    %rax,%rdx
     833:	mov    %rbx,0x158(%rsp)
     83b:	cmovl  %rbx,%rdx
     83f:	cmp    %r14,%rdx
     842:	mov    %r14,0x80(%rsp)
     84a:	mov    %rdx,0x40(%rsp)
     84f:	cmovg  %rdx,%r14
     853:	mov    %r14,0x70(%rsp)
     858:	mov    %rcx,0x1b0(%rsp)
     860:	mov    %rcx,%r14
     863:	shl    $0x8,%r14
     867:	lea    0x100(%r14),%rcx
     86e:	cmp    %rax,%rcx
     871:	cmovl  %rcx,%rax
     875:	cmp    %r14,%rax
     878:	cmovle %r14,%rax
     87c:	mov    %rax,0x128(%rsp)
     884:	mov    0x28(%rsp),%rax
     889:	cmp    %rax,0x30(%rsp)
     88e:	mov    %r14,0x10(%rsp)
     893:	jge    ce0 <segment0.parallel+0x930>
     899:	mov    0x20(%rsp),%rsi
     89e:	lea    0x100(%r14),%r8
     8a5:	cmp    %rsi,%r8
     8a8:	mov    %rsi,%r9
     8ab:	cmovl  %r8,%r9
     8af:	mov    %r14,%rax
     8b2:	movabs $0x5555555555555556,%rdi
     8bc:	imul   %rdi
     8bf:	mov    %rdx,%rax
     8c2:	shr    $0x3f,%rax
     8c6:	add    %rdx,%rax
     8c9:	lea    (%rax,%rax,2),%rcx
     8cd:	mov    %r14,%r10
     8d0:	sub    %rcx,%r10
     8d3:	sar    $0x3f,%r10
     8d7:	add    %rax,%r10
     8da:	cmp    %rsi,%r8
     8dd:	cmovl  %r8,%rsi
     8e1:	lea    -0x1(%rsi),%rax
     8e5:	imul   %rdi
     8e8:	mov    %rdx,%rax
     8eb:	shr    $0x3f,%rax
     8ef:	add    %rdx,%rax
     8f2:	lea    (%rax,%rax,2),%rcx
     8f6:	neg    %rcx
     8f9:	mov    %rsi,0xa8(%rsp)
     901:	lea    -0x1(%rsi,%rcx,1),%rcx
     906:	sar    $0x3f,%rcx
     90a:	lea    0x1(%rcx,%rax,1),%rcx
     90f:	sub    %r10,%rcx
     912:	mov    $0x0,%eax
     917:	cmovle %rax,%rcx
     91b:	mov    %rcx,0x48(%rsp)
     920:	mov    %r10,0xb0(%rsp)
     928:	lea    (%r10,%r10,2),%rax
     92c:	sub    %rax,%r9
     92f:	mov    %r9,0xb8(%rsp)
     937:	mov    %r14,%rcx
     93a:	sub    %rax,%rcx
     93d:	mov    %rcx,0x98(%rsp)
     945:	sub    %rax,0x40(%rsp)
     94a:	mov    0x80(%rsp),%rcx
     952:	sub    %rax,%rcx
     955:	mov    %rcx,0x88(%rsp)
     95d:	add    0x68(%rsp),%rax
     962:	mov    %rax,0x90(%rsp)
     96a:	lea    0x10380(%rsp),%rax
     972:	mov    %rax,0x18(%rsp)
     977:	movq   $0x0,0x8(%rsp)
     980:	jmp    9b4 <segment0.parallel+0x604>
     982:	data16 cs nopw 0x0(%rax,%rax,1)
     98d:	nopl   (%rax)
     990:	mov    0x8(%rsp),%rcx
     995:	inc    %rcx
     998:	addq   $0x8000,0x18(%rsp)
     9a1:	mov    %rcx,0x8(%rsp)
     9a6:	cmp    0x110(%rsp),%rcx
     9ae:	je     ce0 <segment0.parallel+0x930>
     9b4:	cmpq   $0x0,0x48(%rsp)
     9ba:	je     990 <segment0.parallel+0x5e0>
     9bc:	mov    0x8(%rsp),%rax
     9c1:	shl    $0x5,%rax
     9c5:	mov    0x30(%rsp),%rdx
     9ca:	lea    (%rdx,%rax,1),%rcx
     9ce:	lea    0x20(%rdx,%rax,1),%rax
     9d3:	mov    0x28(%rsp),%rdx
     9d8:	cmp    %rdx,%rax
     9db:	cmovge %rdx,%rax
     9df:	sub    %rcx,%rax
     9e2:	mov    $0x0,%edx
     9e7:	cmovle %rdx,%rax
     9eb:	vpbroadcastq %rax,%zmm6
     9f1:	vpcmpnleuq %zmm0,%zmm6,%k0
     9f8:	vpcmpnleuq %zmm1,%zmm6,%k1
     9ff:	kunpckbw %k0,%k1,%k1
     a03:	vpcmpnleuq %zmm2,%zmm6,%k0
     a0a:	vpcmpnleuq %zmm3,%zmm6,%k2
     a11:	kunpckbw %k0,%k2,%k2
     a15:	kunpckwd %k1,%k2,%k0
     a19:	kmovd  %k0,%ebx
     a1d:	mov    0x1b8(%rsp),%rax
     a25:	lea    (%rax,%rcx,4),%rax
     a29:	mov    %rax,0xa0(%rsp)
     a31:	mov    0x90(%rsp),%r10
     a39:	mov    0x88(%rsp),%r15
     a41:	mov    0x40(%rsp),%r11
     a46:	xor    %ecx,%ecx
     a48:	jmp    a6a <segment0.parallel+0x6ba>
     a4a:	nopw   0x0(%rax,%rax,1)
     a50:	inc    %rcx
     a53:	add    $0xfffffffffffffffd,%r11
     a57:	add    $0xfffffffffffffffd,%r15
     a5b:	add    $0x3,%r10
     a5f:	cmp    0x48(%rsp),%rcx
     a64:	je     990 <segment0.parallel+0x5e0>
     a6a:	cmp    $0x3,%r11
     a6e:	mov    $0x3,%eax
     a73:	cmovl  %r11,%rax
     a77:	mov    %rax,0x50(%rsp)
     a7c:	lea    (%rcx,%rcx,2),%rax
     a80:	mov    0xb8(%rsp),%rdi
     a88:	sub    %rax,%rdi
     a8b:	cmp    $0x3,%rdi
     a8f:	mov    $0x3,%r9d
     a95:	cmovge %r9,%rdi
     a99:	mov    0xb0(%rsp),%rdx
     aa1:	lea    (%rdx,%rcx,1),%r13
     aa5:	lea    0x0(%r13,%r13,2),%rdx
     aaa:	mov    %r14,%rsi
     aad:	sub    %rdx,%rsi
     ab0:	mov    %rsi,%r8
     ab3:	sar    $0x3f,%r8
     ab7:	andn   %rsi,%r8,%r12
     abc:	mov    0xa8(%rsp),%rsi
     ac4:	sub    %rdx,%rsi
     ac7:	cmp    $0x3,%rsi
     acb:	cmovge %r9,%rsi
     acf:	cmp    %rsi,%r12
     ad2:	jge    a50 <segment0.parallel+0x6a0>
     ad8:	mov    0x98(%rsp),%rdx
     ae0:	sub    %rax,%rdx
     ae3:	mov    %rdx,%rax
     ae6:	sar    $0x3f,%rax
     aea:	andn   %rdx,%rax,%r14
     aef:	mov    %r13,%rax
     af2:	movabs $0x5555555555555556,%rdx
     afc:	imul   %rdx
     aff:	mov    %rdx,%rsi
     b02:	shr    $0x3f,%rsi
     b06:	add    %rdx,%rsi
     b09:	lea    (%rsi,%rsi,2),%rax
     b0d:	mov    %r13,%rdx
     b10:	sub    %rax,%rdx
     b13:	neg    %rax
     b16:	lea    0x3(%r13,%rax,1),%r8
     b1b:	mov    %r15,%rax
     b1e:	sar    $0x3f,%rax
     b22:	andn   %r15,%rax,%rax
     b27:	test   %rdx,%rdx
     b2a:	cmovns %rdx,%r8
     b2e:	sar    $0x3f,%rdx
     b32:	add    0x1e0(%rsp),%rsi
     b3a:	add    %rdx,%rsi
     b3d:	add    0x38(%rsp),%r8
     b42:	imul   0x1e8(%rsp),%rsi
     b4b:	add    %r8,%rsi
     b4e:	imul   0x1f0(%rsp),%rsi
     b57:	mov    0xa0(%rsp),%rdx
     b5f:	lea    (%rdx,%rsi,4),%rdx
     b63:	mov    %r14,%rsi
     b66:	sub    %rdi,%rsi
     b69:	cmp    $0xfffffffffffffffc,%rsi
     b6d:	jbe    b80 <segment0.parallel+0x7d0>
     b6f:	xor    %r13d,%r13d
     b72:	mov    0x10(%rsp),%r14
     b77:	jmp    c72 <segment0.parallel+0x8c2>
     b7c:	nopl   0x0(%rax)
     b80:	lea    (%rax,%r10,1),%r8
     b84:	shl    $0x7,%r8
     b88:	add    0x18(%rsp),%r8
     b8d:	mov    0x50(%rsp),%rsi
     b92:	sub    %rax,%rsi
     b95:	and    $0xfffffffffffffffc,%rsi
     b99:	neg    %rsi
     b9c:	sub    %r14,%rdi
     b9f:	xor    %r13d,%r13d
     ba2:	xor    %r14d,%r14d
     ba5:	jmp    bc8 <segment0.parallel+0x818>
     ba7:	nopw   0x0(%rax,%rax,1)
     bb0:	add    $0x4,%r14
     bb4:	add    $0xfffffffffffffffc,%r13
     bb8:	add    $0x200,%r8
     bbf:	cmp    %r13,%rsi
     bc2:	je     c60 <segment0.parallel+0x8b0>
     bc8:	test   %ebx,%ebx
     bca:	je     bb0 <segment0.parallel+0x800>
     bcc:	lea    (%r12,%r14,1),%r9
     bd0:	vmovups (%rdx,%r9,4),%zmm6{%k1}{z}
     bd7:	vmovups 0x40(%rdx,%r9,4),%zmm7{%k2}{z}
     bdf:	vmovups %zmm7,0x40(%r8){%k2}
     be6:	vmovups %zmm6,(%r8){%k1}
     bec:	vmovups 0x4(%rdx,%r9,4),%zmm6{%k1}{z}
     bf7:	vmovups 0x44(%rdx,%r9,4),%zmm7{%k2}{z}
     c02:	vmovups %zmm7,0xc0(%r8){%k2}
     c09:	vmovups %zmm6,0x80(%r8){%k1}
     c10:	vmovups 0x8(%rdx,%r9,4),%zmm6{%k1}{z}
     c1b:	vmovups 0x48(%rdx,%r9,4),%zmm7{%k2}{z}
     c26:	vmovups %zmm7,0x140(%r8){%k2}
     c2d:	vmovups %zmm6,0x100(%r8){%k1}
     c34:	vmovups 0xc(%rdx,%r9,4),%zmm6{%k1}{z}
     c3f:	vmovups 0x4c(%rdx,%r9,4),%zmm7{%k2}{z}
     c4a:	vmovups %zmm7,0x1c0(%r8){%k2}
     c51:	vmovups %zmm6,0x180(%r8){%k1}
     c58:	jmp    bb0 <segment0.parallel+0x800>
     c5d:	nopl   (%rax)
     c60:	test   $0x3,%dil
     c64:	mov    0x10(%rsp),%r14
     c69:	je     a50 <segment0.parallel+0x6a0>
     c6f:	neg    %r13
     c72:	mov    0x50(%rsp),%rsi
     c77:	sub    %al,%sil
     c7a:	movzbl %sil,%esi
     c7e:	and    $0x3,%esi
     c81:	shl    $0x5,%esi
     c84:	add    %r13,%rax
     c87:	add    %r10,%rax
     c8a:	shl    $0x7,%rax
     c8e:	add    0x18(%rsp),%rax
     c93:	xor    %edi,%edi
     c95:	jmp    cb0 <segment0.parallel+0x900>
     c97:	nopw   0x0(%rax,%rax,1)
     ca0:	inc    %r13
     ca3:	add    $0x20,%rdi
     ca7:	cmp    %rdi,%rsi
     caa:	je     a50 <segment0.parallel+0x6a0>
     cb0:	test   %ebx,%ebx
     cb2:	je     ca0 <segment0.parallel+0x8f0>
     cb4:	lea    (%r12,%r13,1),%r8
     cb8:	vmovups (%rdx,%r8,4),%zmm6{%k1}{z}
     cbf:	vmovups 0x40(%rdx,%r8,4),%zmm7{%k2}{z}
     cc7:	vmovups %zmm7,0x40(%rax,%rdi,4){%k2}
     ccf:	vmovups %zmm6,(%rax,%rdi,4){%k1}
     cd6:	jmp    ca0 <segment0.parallel+0x8f0>
     cd8:	nopl   0x0(%rax,%rax,1)
     ce0:	mov    0x108(%rsp),%rsi
     ce8:	cmp    0x100(%rsp),%rsi
     cf0:	mov    0x150(%rsp),%r11
     cf8:	mov    0x148(%rsp),%r15
     d00:	mov    0x158(%rsp),%rbx
     d08:	mov    0x80(%rsp),%r14
     d10:	jge    7e0 <segment0.parallel+0x430>
     d16:	mov    0x70(%rsp),%rcx
     d1b:	mov    %ecx,%eax
     d1d:	and    $0x3,%eax
     d20:	shl    $0x5,%eax
     d23:	mov    %rax,0x140(%rsp)
     d2b:	mov    %rcx,%rax
     d2e:	and    $0xfffffffffffffffc,%rax
     d32:	add    0x68(%rsp),%rax
     d37:	mov    %rax,0x220(%rsp)
     d3f:	add    0xf8(%rsp),%rcx
     d47:	shr    $0x4,%rcx
     d4b:	lea    0x1(%rcx),%eax
     d4e:	movzbl %al,%r12d
     d52:	and    $0x7,%r12d
     d56:	shl    $0x6,%r12d
     d5a:	inc    %rcx
     d5d:	and    $0xfffffffffffffff8,%rcx
     d61:	mov    %rcx,0x70(%rsp)
     d66:	mov    0x128(%rsp),%rax
     d6e:	mov    0x10(%rsp),%rdi
     d73:	sub    %rdi,%rax
     d76:	lea    -0x1(%rax),%rcx
     d7a:	mov    %rcx,0x228(%rsp)
     d82:	add    $0xfffffffffffffff0,%rax
     d86:	mov    %rax,0x210(%rsp)
     d8e:	shr    $0x4,%rax
     d92:	inc    %rax
     d95:	mov    %rax,0x1d0(%rsp)
     d9d:	mov    0x20(%rsp),%rax
     da2:	lea    0x100(%rdi),%rcx
     da9:	cmp    %rax,%rcx
     dac:	cmovge %rax,%rcx
     db0:	sub    %rdi,%rcx
     db3:	mov    $0x0,%eax
     db8:	cmovle %rax,%rcx
     dbc:	mov    %ecx,%eax
     dbe:	and    $0xf,%eax
     dc1:	mov    %rcx,0x240(%rsp)
     dc9:	mov    %rcx,%rdx
     dcc:	and    $0xfffffffffffffff0,%rdx
     dd0:	mov    0x198(%rsp),%rcx
     dd8:	lea    (%rcx,%rdi,4),%rcx
     ddc:	vpbroadcastq %rax,%zmm6
     de2:	vpcmpgtq %zmm0,%zmm6,%k0
     de8:	vpcmpgtq %zmm1,%zmm6,%k1
     dee:	kunpckbw %k0,%k1,%k1
     df2:	kmovd  %k1,%eax
     df6:	mov    %eax,0xc4(%rsp)
     dfd:	mov    %rcx,0x208(%rsp)
     e05:	lea    (%rcx,%rdx,4),%rax
     e09:	mov    %rax,0x200(%rsp)
     e11:	mov    %rdx,0x218(%rsp)
     e19:	lea    0x280(%rsp,%rdx,4),%rax
     e21:	mov    %rax,0x1f8(%rsp)
     e29:	cmp    $0x1,%rdi
     e2d:	mov    $0x0,%eax
     e32:	sbb    %eax,%eax
     e34:	kmovd  %eax,%k2
     e38:	kshiftrd $0x10,%k2,%k3
     e3e:	xor    %eax,%eax
     e40:	mov    %r12,0x238(%rsp)
     e48:	jmp    e72 <segment0.parallel+0xac2>
     e4a:	nopw   0x0(%rax,%rax,1)
     e50:	mov    0x1c8(%rsp),%rax
     e58:	cmp    %rax,0x1c0(%rsp)
     e60:	lea    0x1(%rax),%rax
     e64:	mov    0x108(%rsp),%rsi
     e6c:	je     7e0 <segment0.parallel+0x430>
     e72:	mov    %rax,0x1c8(%rsp)
     e7a:	shl    $0x6,%rax
     e7e:	lea    (%rsi,%rax,1),%r13
     e82:	lea    0x40(%rsi,%rax,1),%rcx
     e87:	mov    0x100(%rsp),%rax
     e8f:	cmp    %rax,%rcx
     e92:	cmovge %rax,%rcx
     e96:	mov    %rcx,0x118(%rsp)
     e9e:	sub    %r13,%rcx
     ea1:	mov    %rcx,0x8(%rsp)
     ea6:	jle    1030 <segment0.parallel+0xc80>
     eac:	lea    0x280(%rsp),%rax
     eb4:	lea    0x440(%rsp),%rcx
     ebc:	xor    %edx,%edx
     ebe:	jmp    edb <segment0.parallel+0xb2b>
     ec0:	inc    %rdx
     ec3:	add    $0x400,%rcx
     eca:	add    $0x400,%rax
     ed0:	cmp    0x8(%rsp),%rdx
     ed5:	je     1030 <segment0.parallel+0xc80>
     edb:	lea    0x0(%r13,%rdx,1),%rsi
     ee0:	cmpq   $0x0,0x218(%rsp)
     ee9:	je     feb <segment0.parallel+0xc3b>
     eef:	mov    %rsi,%rdi
     ef2:	imul   0x120(%rsp),%rdi
     efb:	add    0x208(%rsp),%rdi
     f03:	cmpq   $0x70,0x210(%rsp)
     f0c:	jae    f20 <segment0.parallel+0xb70>
     f0e:	xor    %r8d,%r8d
     f11:	jmp    fc6 <segment0.parallel+0xc16>
     f16:	cs nopw 0x0(%rax,%rax,1)
     f20:	mov    0x70(%rsp),%r9
     f25:	xor    %r8d,%r8d
     f28:	nopl   0x0(%rax,%rax,1)
     f30:	vmovups (%rdi,%r8,4),%zmm6
     f37:	vmovups %zmm6,-0x1c0(%rcx,%r8,4)
     f3f:	vmovups 0x40(%rdi,%r8,4),%zmm6
     f47:	vmovups %zmm6,-0x180(%rcx,%r8,4)
     f4f:	vmovups 0x80(%rdi,%r8,4),%zmm6
     f57:	vmovups %zmm6,-0x140(%rcx,%r8,4)
     f5f:	vmovups 0xc0(%rdi,%r8,4),%zmm6
     f67:	vmovups %zmm6,-0x100(%rcx,%r8,4)
     f6f:	vmovups 0x100(%rdi,%r8,4),%zmm6
     f77:	vmovups %zmm6,-0xc0(%rcx,%r8,4)
     f7f:	vmovups 0x140(%rdi,%r8,4),%zmm6
     f87:	vmovups %zmm6,-0x80(%rcx,%r8,4)
     f8f:	vmovups 0x180(%rdi,%r8,4),%zmm6
     f97:	vmovups %zmm6,-0x40(%rcx,%r8,4)
     f9f:	vmovdqu64 0x1c0(%rdi,%r8,4),%zmm6
     fa7:	vmovdqu64 %zmm6,(%rcx,%r8,4)
     fae:	sub    $0xffffffffffffff80,%r8
     fb2:	add    $0xfffffffffffffff8,%r9
     fb6:	jne    f30 <segment0.parallel+0xb80>
     fbc:	testb  $0x7,0x1d0(%rsp)
     fc4:	je     feb <segment0.parallel+0xc3b>
     fc6:	lea    (%rax,%r8,4),%r9
     fca:	xor    %r10d,%r10d
     fcd:	nopl   (%rax)
     fd0:	vmovdqu64 (%rdi,%r8,4),%zmm6
     fd7:	vmovdqu64 %zmm6,(%r9,%r10,1)
     fde:	add    $0x10,%r8
     fe2:	add    $0x40,%r10
     fe6:	cmp    %r10,%r12
     fe9:	jne    fd0 <segment0.parallel+0xc20>
     feb:	cmpw   $0x0,0xc4(%rsp)
     ff4:	je     ec0 <segment0.parallel+0xb10>
     ffa:	imul   0x120(%rsp),%rsi
    1003:	mov    0x200(%rsp),%rdi
    100b:	vmovups (%rdi,%rsi,1),%zmm6{%k1}{z}
    1012:	mov    %rdx,%rsi
    1015:	shl    $0xa,%rsi
    1019:	mov    0x1f8(%rsp),%rdi
    1021:	vmovups %zmm6,(%rdi,%rsi,1){%k1}
    1028:	jmp    ec0 <segment0.parallel+0xb10>
    102d:	nopl   (%rax)
    1030:	mov    0x28(%rsp),%rax
    1035:	cmp    %rax,0x30(%rsp)
    103a:	jge    e50 <segment0.parallel+0xaa0>
    1040:	mov    0x8(%rsp),%rax
    1045:	dec    %rax
    1048:	shr    $0x3,%rax
    104c:	mov    %rax,0x8(%rsp)
    1051:	mov    0x118(%rsp),%rax
    1059:	dec    %rax
    105c:	mov    %rax,0x248(%rsp)
    1064:	lea    0x10380(%rsp),%rax
    106c:	mov    %rax,0x138(%rsp)
    1074:	lea    0x10500(%rsp),%rax
    107c:	mov    %rax,0x130(%rsp)
    1084:	movq   $0x0,0x78(%rsp)
    108d:	mov    %r13,0x250(%rsp)
    1095:	jmp    10d3 <segment0.parallel+0xd23>
    1097:	nopw   0x0(%rax,%rax,1)
    10a0:	mov    0x78(%rsp),%rcx
    10a5:	inc    %rcx
    10a8:	addq   $0x8000,0x130(%rsp)
    10b4:	addq   $0x8000,0x138(%rsp)
    10c0:	mov    %rcx,0x78(%rsp)
    10c5:	cmp    0x110(%rsp),%rcx
    10cd:	je     e50 <segment0.parallel+0xaa0>
    10d3:	cmp    %r13,0x118(%rsp)
    10db:	jle    10a0 <segment0.parallel+0xcf0>
    10dd:	mov    0x78(%rsp),%rax
    10e2:	shl    $0x5,%rax
    10e6:	mov    0x30(%rsp),%rdx
    10eb:	lea    (%rdx,%rax,1),%rcx
    10ef:	lea    0x20(%rdx,%rax,1),%rax
    10f4:	mov    0x28(%rsp),%rdx
    10f9:	cmp    %rdx,%rax
    10fc:	cmovge %rdx,%rax
    1100:	sub    %rcx,%rax
    1103:	mov    $0x0,%edx
    1108:	cmovle %rdx,%rax
    110c:	vpbroadcastq %rax,%zmm6
    1112:	vpcmpnleuq %zmm0,%zmm6,%k0
    1119:	vpcmpnleuq %zmm1,%zmm6,%k4
    1120:	kunpckbw %k0,%k4,%k4
    1124:	vpcmpnleuq %zmm2,%zmm6,%k0
    112b:	vpcmpnleuq %zmm3,%zmm6,%k5
    1132:	kunpckbw %k0,%k5,%k5
    1136:	kunpckwd %k4,%k5,%k0
    113a:	kmovd  %k0,%eax
    113e:	mov    %eax,0x40(%rsp)
    1142:	mov    0x1d8(%rsp),%rax
    114a:	lea    (%rax,%rcx,4),%r9
    114e:	xor    %esi,%esi
    1150:	mov    %r9,0x258(%rsp)
    1158:	jmp    1263 <segment0.parallel+0xeb3>
    115d:	nopl   (%rax)
    1160:	mov    0x48(%rsp),%rax
    1165:	lea    (%r9,%rax,4),%rax
    1169:	mov    0xb8(%rsp),%rcx
    1171:	lea    (%r9,%rcx,4),%rcx
    1175:	mov    0xb0(%rsp),%rdx
    117d:	lea    (%r9,%rdx,4),%rdx
    1181:	mov    0xa8(%rsp),%rsi
    1189:	lea    (%r9,%rsi,4),%rsi
    118d:	mov    0x18(%rsp),%rdi
    1192:	lea    (%r9,%rdi,4),%rdi
    1196:	mov    0xa0(%rsp),%r8
    119e:	lea    (%r9,%r8,4),%r8
    11a2:	mov    0x10(%rsp),%r10
    11a7:	lea    (%r9,%r10,4),%r10
    11ab:	mov    0x98(%rsp),%r11
    11b3:	lea    (%r9,%r11,4),%r11
    11b7:	vmovups %zmm6,(%rax){%k4}
    11bd:	vmovups %zmm7,0x40(%rax){%k5}
    11c4:	vmovups %zmm9,0x40(%rcx){%k5}
    11cb:	vmovups %zmm8,(%rcx){%k4}
    11d1:	vmovups %zmm11,0x40(%rdx){%k5}
    11d8:	vmovups %zmm10,(%rdx){%k4}
    11de:	vmovups %zmm13,0x40(%rsi){%k5}
    11e5:	vmovups %zmm12,(%rsi){%k4}
    11eb:	vmovups %zmm15,0x40(%rdi){%k5}
    11f2:	vmovups %zmm14,(%rdi){%k4}
    11f8:	vmovups %zmm17,0x40(%r8){%k5}
    11ff:	vmovups %zmm16,(%r8){%k4}
    1205:	vmovups %zmm19,0x40(%r10){%k5}
    120c:	vmovups %zmm18,(%r10){%k4}
    1212:	vmovups %zmm21,0x40(%r11){%k5}
    1219:	vmovups %zmm20,(%r11){%k4}
    121f:	mov    0x150(%rsp),%r11
    1227:	mov    0x148(%rsp),%r15
    122f:	mov    0x158(%rsp),%rbx
    1237:	mov    0x80(%rsp),%r14
    123f:	mov    0x238(%rsp),%r12
    1247:	mov    0x250(%rsp),%r13
    124f:	mov    0x50(%rsp),%rsi
    1254:	cmp    %rsi,0x8(%rsp)
    1259:	lea    0x1(%rsi),%rsi
    125d:	je     10a0 <segment0.parallel+0xcf0>
    1263:	cmpl   $0x0,0x40(%rsp)
    1268:	je     1254 <segment0.parallel+0xea4>
    126a:	lea    0x0(%r13,%rsi,8),%rax
    126f:	mov    0x248(%rsp),%r9
    1277:	cmp    %r9,%rax
    127a:	cmovge %r9,%rax
    127e:	mov    0x230(%rsp),%r15
    1286:	mov    %r13,%r10
    1289:	mov    %rax,0x90(%rsp)
    1291:	lea    (%r15,%rax,1),%r13
    1295:	mov    0x28(%rbp),%rbx
    1299:	imul   %rbx,%r13
    129d:	mov    0x38(%rsp),%r12
    12a2:	add    %r12,%r13
    12a5:	mov    0x30(%rbp),%rdi
    12a9:	imul   %rdi,%r13
    12ad:	lea    0x1(%r10,%rsi,8),%rax
    12b2:	cmp    %r9,%rax
    12b5:	cmovge %r9,%rax
    12b9:	mov    %rax,0x88(%rsp)
    12c1:	lea    (%r15,%rax,1),%rcx
    12c5:	imul   %rbx,%rcx
    12c9:	add    %r12,%rcx
    12cc:	imul   %rdi,%rcx
    12d0:	lea    0x2(%r10,%rsi,8),%rax
    12d5:	cmp    %r9,%rax
    12d8:	cmovge %r9,%rax
    12dc:	mov    %rax,0x278(%rsp)
    12e4:	lea    (%r15,%rax,1),%rdx
    12e8:	imul   %rbx,%rdx
    12ec:	add    %r12,%rdx
    12ef:	imul   %rdi,%rdx
    12f3:	lea    0x3(%r10,%rsi,8),%rax
    12f8:	cmp    %r9,%rax
    12fb:	cmovge %r9,%rax
    12ff:	mov    %rax,0x270(%rsp)
    1307:	lea    (%r15,%rax,1),%r14
    130b:	imul   %rbx,%r14
    130f:	add    %r12,%r14
    1312:	imul   %rdi,%r14
    1316:	lea    0x4(%r10,%rsi,8),%rax
    131b:	cmp    %r9,%rax
    131e:	cmovge %r9,%rax
    1322:	mov    %rax,0x268(%rsp)
    132a:	lea    (%r15,%rax,1),%r8
    132e:	imul   %rbx,%r8
    1332:	add    %r12,%r8
    1335:	imul   %rdi,%r8
    1339:	lea    0x5(%r10,%rsi,8),%rax
    133e:	cmp    %r9,%rax
    1341:	cmovge %r9,%rax
    1345:	mov    %rax,0x260(%rsp)
    134d:	lea    (%r15,%rax,1),%r11
    1351:	imul   %rbx,%r11
    1355:	add    %r12,%r11
    1358:	imul   %rdi,%r11
    135c:	lea    0x6(%r10,%rsi,8),%rax
    1361:	cmp    %r9,%rax
    1364:	cmovge %r9,%rax
    1368:	lea    (%r15,%rax,1),%rbx
    136c:	imul   0x28(%rbp),%rbx
    1371:	add    %r12,%rbx
    1374:	imul   %rdi,%rbx
    1378:	mov    %rsi,0x50(%rsp)
    137d:	lea    0x7(%r10,%rsi,8),%rsi
    1382:	cmp    %r9,%rsi
    1385:	cmovge %r9,%rsi
    1389:	mov    0x258(%rsp),%r9
    1391:	add    %rsi,%r15
    1394:	imul   0x28(%rbp),%r15
    1399:	add    %r12,%r15
    139c:	vmovups (%r9,%r13,4),%zmm6{%k4}{z}
    13a3:	imul   %rdi,%r15
    13a7:	mov    %r13,0x48(%rsp)
    13ac:	vmovups 0x40(%r9,%r13,4),%zmm7{%k5}{z}
    13b4:	vmovaps %zmm4,%zmm7{%k3}
    13ba:	vmovups (%r9,%rcx,4),%zmm8{%k4}{z}
    13c1:	vmovaps %zmm4,%zmm6{%k2}
    13c7:	mov    %rcx,0xb8(%rsp)
    13cf:	vmovups 0x40(%r9,%rcx,4),%zmm9{%k5}{z}
    13d7:	vmovaps %zmm4,%zmm9{%k3}
    13dd:	vmovups (%r9,%rdx,4),%zmm10{%k4}{z}
    13e4:	vmovaps %zmm4,%zmm8{%k2}
    13ea:	mov    %rdx,0xb0(%rsp)
    13f2:	vmovups 0x40(%r9,%rdx,4),%zmm11{%k5}{z}
    13fa:	vmovaps %zmm4,%zmm11{%k3}
    1400:	vmovups (%r9,%r14,4),%zmm12{%k4}{z}
    1407:	vmovaps %zmm4,%zmm10{%k2}
    140d:	mov    %r14,0xa8(%rsp)
    1415:	vmovups 0x40(%r9,%r14,4),%zmm13{%k5}{z}
    141d:	vmovaps %zmm4,%zmm13{%k3}
    1423:	vmovups (%r9,%r8,4),%zmm14{%k4}{z}
    142a:	vmovaps %zmm4,%zmm12{%k2}
    1430:	mov    %r8,0x18(%rsp)
    1435:	vmovups 0x40(%r9,%r8,4),%zmm15{%k5}{z}
    143d:	vmovaps %zmm4,%zmm15{%k3}
    1443:	vmovups (%r9,%r11,4),%zmm16{%k4}{z}
    144a:	vmovaps %zmm4,%zmm14{%k2}
    1450:	mov    %r11,0xa0(%rsp)
    1458:	vmovups 0x40(%r9,%r11,4),%zmm17{%k5}{z}
    1460:	vmovaps %zmm4,%zmm17{%k3}
    1466:	vmovups (%r9,%rbx,4),%zmm18{%k4}{z}
    146d:	vmovaps %zmm4,%zmm16{%k2}
    1473:	mov    %rbx,0x10(%rsp)
    1478:	vmovups 0x40(%r9,%rbx,4),%zmm19{%k5}{z}
    1480:	vmovaps %zmm4,%zmm19{%k3}
    1486:	vmovups (%r9,%r15,4),%zmm20{%k4}{z}
    148d:	vmovaps %zmm4,%zmm18{%k2}
    1493:	mov    %r15,0x98(%rsp)
    149b:	vmovups 0x40(%r9,%r15,4),%zmm21{%k5}{z}
    14a3:	vmovaps %zmm4,%zmm21{%k3}
    14a9:	vmovaps %zmm4,%zmm20{%k2}
    14af:	cmpq   $0x0,0x240(%rsp)
    14b8:	je     1160 <segment0.parallel+0xdb0>
    14be:	mov    0x90(%rsp),%rcx
    14c6:	sub    %r10,%rcx
    14c9:	shl    $0xa,%rcx
    14cd:	lea    0x280(%rsp,%rcx,1),%rdi
    14d5:	mov    0x88(%rsp),%rcx
    14dd:	sub    %r10,%rcx
    14e0:	shl    $0xa,%rcx
    14e4:	lea    0x280(%rsp,%rcx,1),%rdx
    14ec:	mov    0x278(%rsp),%rcx
    14f4:	sub    %r10,%rcx
    14f7:	shl    $0xa,%rcx
    14fb:	lea    0x280(%rsp,%rcx,1),%r15
    1503:	mov    0x270(%rsp),%rcx
    150b:	sub    %r10,%rcx
    150e:	shl    $0xa,%rcx
    1512:	lea    0x280(%rsp,%rcx,1),%r12
    151a:	mov    0x268(%rsp),%r8
    1522:	sub    %r10,%r8
    1525:	shl    $0xa,%r8
    1529:	lea    0x280(%rsp,%r8,1),%r13
    1531:	mov    0x260(%rsp),%r8
    1539:	sub    %r10,%r8
    153c:	shl    $0xa,%r8
    1540:	lea    0x280(%rsp,%r8,1),%r14
    1548:	sub    %r10,%rax
    154b:	shl    $0xa,%rax
    154f:	lea    0x280(%rsp,%rax,1),%r8
    1557:	sub    %r10,%rsi
    155a:	shl    $0xa,%rsi
    155e:	lea    0x280(%rsp,%rsi,1),%r11
    1566:	cmpq   $0x3,0x228(%rsp)
    156f:	jae    1580 <segment0.parallel+0x11d0>
    1571:	xor    %ecx,%ecx
    1573:	mov    0x140(%rsp),%rax
    157b:	jmp    1872 <segment0.parallel+0x14c2>
    1580:	mov    0x130(%rsp),%rbx
    1588:	xor    %ecx,%ecx
    158a:	mov    0x140(%rsp),%rax
    1592:	mov    0x220(%rsp),%rsi
    159a:	nopw   0x0(%rax,%rax,1)
    15a0:	vbroadcastss (%rdi,%rcx,4),%zmm24
    15a7:	vmovups -0x180(%rbx),%zmm25
    15ae:	vmovups -0x140(%rbx),%zmm26
    15b5:	vmovups -0x100(%rbx),%zmm22
    15bc:	vmovups -0xc0(%rbx),%zmm23
    15c3:	vfmadd231ps %zmm24,%zmm25,%zmm6
    15c9:	vfmadd231ps %zmm24,%zmm26,%zmm7
    15cf:	vbroadcastss (%rdx,%rcx,4),%zmm24
    15d6:	vfmadd231ps %zmm24,%zmm25,%zmm8
    15dc:	vfmadd231ps %zmm24,%zmm26,%zmm9
    15e2:	vbroadcastss (%r15,%rcx,4),%zmm24
    15e9:	vfmadd231ps %zmm24,%zmm25,%zmm10
    15ef:	vbroadcastss (%r12,%rcx,4),%zmm27
    15f6:	vfmadd231ps %zmm24,%zmm26,%zmm11
    15fc:	vfmadd231ps %zmm27,%zmm25,%zmm12
    1602:	vfmadd231ps %zmm27,%zmm26,%zmm13
    1608:	vbroadcastss 0x0(%r13,%rcx,4),%zmm24
    1610:	vfmadd231ps %zmm24,%zmm25,%zmm14
    1616:	vfmadd231ps %zmm24,%zmm26,%zmm15
    161c:	vbroadcastss (%r14,%rcx,4),%zmm24
    1623:	vfmadd231ps %zmm24,%zmm25,%zmm16
    1629:	vbroadcastss (%r8,%rcx,4),%zmm27
    1630:	vfmadd231ps %zmm24,%zmm26,%zmm17
    1636:	vfmadd231ps %zmm27,%zmm25,%zmm18
    163c:	vfmadd231ps %zmm27,%zmm26,%zmm19
    1642:	vbroadcastss (%r11,%rcx,4),%zmm24
    1649:	vfmadd231ps %zmm25,%zmm24,%zmm20
    164f:	vfmadd231ps %zmm24,%zmm26,%zmm21
    1655:	vbroadcastss 0x4(%rdi,%rcx,4),%zmm24
    165d:	vfmadd231ps %zmm24,%zmm23,%zmm7
    1663:	vbroadcastss 0x4(%rdx,%rcx,4),%zmm25
    166b:	vfmadd231ps %zmm24,%zmm22,%zmm6
    1671:	vfmadd231ps %zmm25,%zmm23,%zmm9
    1677:	vfmadd231ps %zmm25,%zmm22,%zmm8
    167d:	vbroadcastss 0x4(%r15,%rcx,4),%zmm24
    1685:	vfmadd231ps %zmm24,%zmm23,%zmm11
    168b:	vfmadd231ps %zmm24,%zmm22,%zmm10
    1691:	vbroadcastss 0x4(%r12,%rcx,4),%zmm24
    1699:	vfmadd231ps %zmm24,%zmm23,%zmm13
    169f:	vbroadcastss 0x4(%r13,%rcx,4),%zmm25
    16a7:	vfmadd231ps %zmm24,%zmm22,%zmm12
    16ad:	vfmadd231ps %zmm25,%zmm23,%zmm15
    16b3:	vfmadd231ps %zmm25,%zmm22,%zmm14
    16b9:	vbroadcastss 0x4(%r14,%rcx,4),%zmm24
    16c1:	vfmadd231ps %zmm24,%zmm23,%zmm17
    16c7:	vfmadd231ps %zmm24,%zmm22,%zmm16
    16cd:	vbroadcastss 0x4(%r8,%rcx,4),%zmm24
    16d5:	vfmadd231ps %zmm24,%zmm23,%zmm19
    16db:	vbroadcastss 0x4(%r11,%rcx,4),%zmm25
    16e3:	vfmadd231ps %zmm24,%zmm22,%zmm18
    16e9:	vfmadd231ps %zmm23,%zmm25,%zmm21
    16ef:	vmovups -0x40(%rbx),%zmm23
    16f6:	vmovups -0x80(%rbx),%zmm24
    16fd:	vfmadd231ps %zmm25,%zmm22,%zmm20
    1703:	vbroadcastss 0x8(%rdi,%rcx,4),%zmm22
    170b:	vfmadd231ps %zmm22,%zmm24,%zmm6
    1711:	vbroadcastss 0x8(%rdx,%rcx,4),%zmm25
    1719:	vfmadd231ps %zmm22,%zmm23,%zmm7
    171f:	vfmadd231ps %zmm25,%zmm24,%zmm8
    1725:	vfmadd231ps %zmm25,%zmm23,%zmm9
    172b:	vbroadcastss 0x8(%r15,%rcx,4),%zmm22
    1733:	vfmadd231ps %zmm22,%zmm24,%zmm10
    1739:	vfmadd231ps %zmm22,%zmm23,%zmm11
    173f:	vbroadcastss 0x8(%r12,%rcx,4),%zmm22
    1747:	vfmadd231ps %zmm22,%zmm24,%zmm12
    174d:	vbroadcastss 0x8(%r13,%rcx,4),%zmm25
    1755:	vfmadd231ps %zmm22,%zmm23,%zmm13
    175b:	vfmadd231ps %zmm25,%zmm24,%zmm14
    1761:	vfmadd231ps %zmm25,%zmm23,%zmm15
    1767:	vbroadcastss 0x8(%r14,%rcx,4),%zmm22
    176f:	vfmadd231ps %zmm22,%zmm24,%zmm16
    1775:	vfmadd231ps %zmm22,%zmm23,%zmm17
    177b:	vbroadcastss 0x8(%r8,%rcx,4),%zmm22
    1783:	vfmadd231ps %zmm22,%zmm24,%zmm18
    1789:	vbroadcastss 0x8(%r11,%rcx,4),%zmm25
    1791:	vfmadd231ps %zmm22,%zmm23,%zmm19
    1797:	vfmadd231ps %zmm24,%zmm25,%zmm20
    179d:	vmovups (%rbx),%zmm22
    17a3:	vmovups 0x40(%rbx),%zmm24
    17aa:	vfmadd231ps %zmm25,%zmm23,%zmm21
    17b0:	vbroadcastss 0xc(%rdi,%rcx,4),%zmm23
    17b8:	vfmadd231ps %zmm23,%zmm24,%zmm7
    17be:	vbroadcastss 0xc(%rdx,%rcx,4),%zmm25
    17c6:	vfmadd231ps %zmm23,%zmm22,%zmm6
    17cc:	vfmadd231ps %zmm25,%zmm24,%zmm9
    17d2:	vfmadd231ps %zmm25,%zmm22,%zmm8
    17d8:	vbroadcastss 0xc(%r15,%rcx,4),%zmm23
    17e0:	vfmadd231ps %zmm23,%zmm24,%zmm11
    17e6:	vfmadd231ps %zmm23,%zmm22,%zmm10
    17ec:	vbroadcastss 0xc(%r12,%rcx,4),%zmm23
    17f4:	vfmadd231ps %zmm23,%zmm24,%zmm13
    17fa:	vbroadcastss 0xc(%r13,%rcx,4),%zmm25
    1802:	vfmadd231ps %zmm23,%zmm22,%zmm12
    1808:	vfmadd231ps %zmm25,%zmm24,%zmm15
    180e:	vfmadd231ps %zmm25,%zmm22,%zmm14
    1814:	vbroadcastss 0xc(%r14,%rcx,4),%zmm23
    181c:	vfmadd231ps %zmm23,%zmm24,%zmm17
    1822:	vfmadd231ps %zmm23,%zmm22,%zmm16
    1828:	vbroadcastss 0xc(%r8,%rcx,4),%zmm23
    1830:	vfmadd231ps %zmm23,%zmm24,%zmm19
    1836:	vbroadcastss 0xc(%r11,%rcx,4),%zmm25
    183e:	vfmadd231ps %zmm23,%zmm22,%zmm18
    1844:	vfmadd231ps %zmm24,%zmm25,%zmm21
    184a:	vfmadd231ps %zmm25,%zmm22,%zmm20
    1850:	add    $0x4,%rcx
    1854:	add    $0x200,%rbx
    185b:	cmp    %rcx,%rsi
    185e:	jne    15a0 <segment0.parallel+0x11f0>
    1864:	testb  $0x3,0x128(%rsp)
    186c:	je     1160 <segment0.parallel+0xdb0>
    1872:	mov    %rcx,%rbx
    1875:	shl    $0x7,%rbx
    1879:	add    0x138(%rsp),%rbx
    1881:	xor    %r10d,%r10d
    1884:	data16 cs nopw 0x0(%rax,%rax,1)
    188f:	nop
    1890:	vmovups (%rbx,%r10,4),%zmm22
    1897:	vmovups 0x40(%rbx,%r10,4),%zmm23
    189f:	vbroadcastss (%rdi,%rcx,4),%zmm24
    18a6:	vfmadd231ps %zmm24,%zmm23,%zmm7
    18ac:	vbroadcastss (%rdx,%rcx,4),%zmm25
    18b3:	vfmadd231ps %zmm24,%zmm22,%zmm6
    18b9:	vfmadd231ps %zmm25,%zmm23,%zmm9
    18bf:	vfmadd231ps %zmm25,%zmm22,%zmm8
    18c5:	vbroadcastss (%r15,%rcx,4),%zmm24
    18cc:	vfmadd231ps %zmm24,%zmm23,%zmm11
    18d2:	vfmadd231ps %zmm24,%zmm22,%zmm10
    18d8:	vbroadcastss (%r12,%rcx,4),%zmm24
    18df:	vfmadd231ps %zmm24,%zmm23,%zmm13
    18e5:	vbroadcastss 0x0(%r13,%rcx,4),%zmm25
    18ed:	vfmadd231ps %zmm24,%zmm22,%zmm12
    18f3:	vfmadd231ps %zmm25,%zmm23,%zmm15
    18f9:	vfmadd231ps %zmm25,%zmm22,%zmm14
    18ff:	vbroadcastss (%r14,%rcx,4),%zmm24
    1906:	vfmadd231ps %zmm24,%zmm23,%zmm17
    190c:	vfmadd231ps %zmm24,%zmm22,%zmm16
    1912:	vbroadcastss (%r8,%rcx,4),%zmm24
    1919:	vfmadd231ps %zmm24,%zmm23,%zmm19
    191f:	vbroadcastss (%r11,%rcx,4),%zmm25
    1926:	vfmadd231ps %zmm24,%zmm22,%zmm18
    192c:	vfmadd231ps %zmm23,%zmm25,%zmm21
    1932:	vfmadd231ps %zmm25,%zmm22,%zmm20
    1938:	inc    %rcx
    193b:	add    $0x20,%r10
    193f:	cmp    %r10,%rax
    1942:	jne    1890 <segment0.parallel+0x14e0>
    1948:	jmp    1160 <segment0.parallel+0xdb0>
    194d:	nopl   (%rax)
    1950:	mov    0xe0(%rsp),%rax
    1958:	mov    0xd8(%rsp),%rcx
    1960:	xor    %edx,%edx
    1962:	jmp    198b <segment0.parallel+0x15db>
    1964:	data16 cs nopw 0x0(%rax,%rax,1)
    196f:	nop
    1970:	inc    %rdx
    1973:	mov    0x190(%rsp),%rsi
    197b:	add    %rsi,%rcx
    197e:	add    %rsi,%rax
    1981:	cmp    %rdx,0x10(%rbp)
    1985:	je     699 <segment0.parallel+0x2e9>
    198b:	cmpq   $0x0,0x18(%rbp)
    1990:	jle    1970 <segment0.parallel+0x15c0>
    1992:	xor    %esi,%esi
    1994:	cmpq   $0x8,0x18(%rbp)
    1999:	jl     19b9 <segment0.parallel+0x1609>
    199b:	nopl   0x0(%rax,%rax,1)
    19a0:	vmovups %ymm5,-0x1c(%rcx,%rsi,4)
    19a6:	add    $0x8,%rsi
    19aa:	cmp    %rsi,%r11
    19ad:	jne    19a0 <segment0.parallel+0x15f0>
    19af:	testb  $0x7,0x188(%rsp)
    19b7:	je     1970 <segment0.parallel+0x15c0>
    19b9:	lea    (%rax,%rsi,4),%rsi
    19bd:	xor    %edi,%edi
    19bf:	nop
    19c0:	movl   $0x0,(%rsi,%rdi,4)
    19c7:	inc    %rdi
    19ca:	cmp    %rdi,%r15
    19cd:	jne    19c0 <segment0.parallel+0x1610>
    19cf:	jmp    1970 <segment0.parallel+0x15c0>
    19d1:	mov    $0x2,%eax
    19d6:	lea    -0x28(%rbp),%rsp
    19da:	pop    %rbx
    19db:	pop    %r12
    19dd:	pop    %r13
    19df:	pop    %r14
    19e1:	pop    %r15
    19e3:	pop    %rbp
    19e4:	vzeroupper
    19e7:	ret
    19e8:	nopl   0x0(%rax,%rax,1)

00000000000019f0 <segment0.chunk>:
    19f0:	push   %r14
    19f2:	push   %rbx
    19f3:	sub    $0x58,%rsp
    19f7:	mov    (%rdi),%rax
    19fa:	mov    0x8(%rdi),%rsi
    19fe:	mov    0x10(%rdi),%rbx
    1a02:	mov    0x18(%rdi),%r10
    1a06:	mov    0x20(%rdi),%r11
    1a0a:	mov    0x28(%rdi),%r9
    1a0e:	vmovups 0x30(%rdi),%ymm0
    1a13:	vmovups 0x50(%rdi),%xmm1
    1a18:	mov    (%r8),%rdi
    1a1b:	test   %rdi,%rdi
    1a1e:	lea    0x0(%rip),%r14        # 1a25 <segment0.chunk+0x35>
    1a25:	cmovne %rdi,%r14
    1a29:	mov    %r8,0x48(%rsp)
    1a2e:	mov    %r14,0x40(%rsp)
    1a33:	mov    %rcx,0x38(%rsp)
    1a38:	mov    %rdx,0x30(%rsp)
    1a3d:	vmovups %xmm1,0x20(%rsp)
    1a43:	vmovups %ymm0,(%rsp)
    1a48:	mov    %rax,%rdi
    1a4b:	mov    %rbx,%rdx
    1a4e:	mov    %r10,%rcx
    1a51:	mov    %r11,%r8
    1a54:	vzeroupper
    1a57:	call   3b0 <segment0.parallel>
    1a5c:	add    $0x58,%rsp
    1a60:	pop    %rbx
    1a61:	pop    %r14
    1a63:	ret
    1a64:	data16 cs nopw 0x0(%rax,%rax,1)
    1a6f:	nop

0000000000001a70 <segment0.parallel.1>:
    1a70:	push   %rbp
    1a71:	push   %r15
    1a73:	push   %r14
    1a75:	push   %r13
    1a77:	push   %r12
    1a79:	push   %rbx
    1a7a:	sub    $0x10,%rsp
    1a7e:	mov    0x78(%rsp),%r10
    1a83:	mov    0x80(%rsp),%rax
    1a8b:	sub    %r10,%rax
    1a8e:	mov    %rax,-0x30(%rsp)
    1a93:	jne    1a9c <segment0.parallel.1+0x2c>
    1a95:	xor    %eax,%eax
    1a97:	jmp    2285 <segment0.parallel.1+0x815>
    1a9c:	mov    %rcx,%r15
    1a9f:	mov    0x88(%rsp),%rbx
    1aa7:	mov    0x50(%rsp),%rax
    1aac:	add    0x70(%rsp),%r10
    1ab1:	mov    %rax,%rcx
    1ab4:	sar    $0x3f,%rcx
    1ab8:	andn   %rax,%rcx,%r14
    1abd:	mov    %r14d,%eax
    1ac0:	and    $0x3f,%eax
    1ac3:	movabs $0x7fffffffffffffc0,%r11
    1acd:	vpbroadcastq %rax,%zmm0
    1ad3:	vpcmpgtq 0x0(%rip),%zmm0,%k0        # 1add <segment0.parallel.1+0x6d>
    1add:	vpcmpgtq 0x0(%rip),%zmm0,%k1        # 1ae7 <segment0.parallel.1+0x77>
    1ae7:	and    %r14,%r11
    1aea:	kunpckbw %k0,%k1,%k1
    1aee:	vpcmpgtq 0x0(%rip),%zmm0,%k0        # 1af8 <segment0.parallel.1+0x88>
    1af8:	vpcmpgtq 0x0(%rip),%zmm0,%k2        # 1b02 <segment0.parallel.1+0x92>
    1b02:	kunpckbw %k0,%k2,%k2
    1b06:	kunpckwd %k1,%k2,%k0
    1b0a:	vpcmpgtq 0x0(%rip),%zmm0,%k3        # 1b14 <segment0.parallel.1+0xa4>
    1b14:	vpcmpgtq 0x0(%rip),%zmm0,%k4        # 1b1e <segment0.parallel.1+0xae>
    1b1e:	kunpckbw %k3,%k4,%k3
    1b22:	vpcmpgtq 0x0(%rip),%zmm0,%k4        # 1b2c <segment0.parallel.1+0xbc>
    1b2c:	vpcmpgtq 0x0(%rip),%zmm0,%k5        # 1b36 <segment0.parallel.1+0xc6>
    1b36:	kunpckbw %k4,%k5,%k4
    1b3a:	kunpckwd %k3,%k4,%k5
    1b3e:	kunpckdq %k0,%k5,%k0
    1b43:	kmovq  %k0,%rax
    1b48:	mov    %rax,0x8(%rsp)
    1b4d:	mov    %r9,%rax
    1b50:	imul   %r8,%r9
    1b54:	mov    %r9,%r12
    1b57:	imul   %r15,%r12
    1b5b:	mov    %r12,%rcx
    1b5e:	imul   %r10,%rcx
    1b62:	lea    0x8(%rdi,%rcx,4),%rcx
    1b67:	mov    %rcx,-0x60(%rsp)
    1b6c:	shl    $0x2,%r12
    1b70:	mov    %r12,-0x38(%rsp)
    1b75:	imul   %r15,%r8
    1b79:	mov    %r10,-0x48(%rsp)
    1b7e:	imul   %r10,%r8
    1b82:	lea    0x2(%r8),%rcx
    1b86:	imul   %rax,%rcx
    1b8a:	inc    %r8
    1b8d:	imul   %rax,%r8
    1b91:	lea    0x0(,%rax,4),%rax
    1b99:	mov    %rax,(%rsp)
    1b9d:	shl    $0x2,%r9
    1ba1:	lea    0x8(%rdi,%rcx,4),%rax
    1ba6:	mov    %rax,-0x68(%rsp)
    1bab:	lea    0x8(%rdi,%r8,4),%rax
    1bb0:	mov    %rax,-0x70(%rsp)
    1bb5:	add    $0x20,%rsi
    1bb9:	mov    %rsi,-0x40(%rsp)
    1bbe:	lea    0x0(,%r15,4),%rax
    1bc6:	lea    (%rax,%rax,8),%rax
    1bca:	mov    %rax,-0x20(%rsp)
    1bcf:	and    $0xffffffffffffffc0,%r14
    1bd3:	shl    $0x2,%r14
    1bd7:	mov    %r14,-0x18(%rsp)
    1bdc:	mov    %rdx,-0x8(%rsp)
    1be1:	lea    (%rdx,%r11,4),%rax
    1be5:	mov    %rax,-0x10(%rsp)
    1bea:	movq   $0x0,-0x80(%rsp)
    1bf3:	jmp    1c2c <segment0.parallel.1+0x1bc>
    1bf5:	data16 cs nopw 0x0(%rax,%rax,1)
    1c00:	mov    -0x80(%rsp),%rcx
    1c05:	inc    %rcx
    1c08:	mov    -0x38(%rsp),%rax
    1c0d:	add    %rax,-0x60(%rsp)
    1c12:	add    %rax,-0x68(%rsp)
    1c17:	add    %rax,-0x70(%rsp)
    1c1c:	mov    %rcx,-0x80(%rsp)
    1c21:	cmp    -0x30(%rsp),%rcx
    1c26:	je     1a95 <segment0.parallel.1+0x25>
    1c2c:	movzbl (%rbx),%ecx
    1c2f:	mov    $0x2,%eax
    1c34:	test   %cl,%cl
    1c36:	jne    2285 <segment0.parallel.1+0x815>
    1c3c:	cmpq   $0x0,0x48(%rsp)
    1c42:	jle    1c00 <segment0.parallel.1+0x190>
    1c44:	mov    -0x48(%rsp),%rax
    1c49:	mov    -0x80(%rsp),%rcx
    1c4e:	add    %rcx,%rax
    1c51:	imul   0x48(%rsp),%rax
    1c57:	mov    %rax,-0x28(%rsp)
    1c5c:	mov    -0x40(%rsp),%r8
    1c61:	movq   $0x0,-0x78(%rsp)
    1c6a:	jmp    1c95 <segment0.parallel.1+0x225>
    1c6c:	nopl   0x0(%rax)
    1c70:	mov    -0x78(%rsp),%rcx
    1c75:	inc    %rcx
    1c78:	add    -0x20(%rsp),%r8
    1c7d:	mov    %rcx,-0x78(%rsp)
    1c82:	cmp    %rcx,0x48(%rsp)
    1c87:	mov    0x88(%rsp),%rbx
    1c8f:	je     1c00 <segment0.parallel.1+0x190>
    1c95:	movzbl (%rbx),%eax
    1c98:	test   %al,%al
    1c9a:	jne    2280 <segment0.parallel.1+0x810>
    1ca0:	cmpq   $0x0,0x58(%rsp)
    1ca6:	jle    1c70 <segment0.parallel.1+0x200>
    1ca8:	mov    -0x28(%rsp),%rax
    1cad:	mov    -0x78(%rsp),%rcx
    1cb2:	add    %rcx,%rax
    1cb5:	imul   0x60(%rsp),%rax
    1cbb:	mov    %rax,-0x58(%rsp)
    1cc0:	mov    -0x70(%rsp),%r14
    1cc5:	mov    -0x68(%rsp),%rdx
    1cca:	mov    -0x60(%rsp),%rsi
    1ccf:	xor    %r10d,%r10d
    1cd2:	jmp    1d39 <segment0.parallel.1+0x2c9>
    1cd4:	data16 cs nopw 0x0(%rax,%rax,1)
    1cdf:	nop
    1ce0:	vxorps %xmm3,%xmm3,%xmm3
    1ce4:	vxorps %xmm2,%xmm2,%xmm2
    1ce8:	vpxor  %xmm0,%xmm0,%xmm0
    1cec:	mov    -0x58(%rsp),%rax
    1cf1:	add    %r10,%rax
    1cf4:	imul   0x68(%rsp),%rax
    1cfa:	mov    -0x10(%rsp),%rcx
    1cff:	vmovups %zmm1,(%rcx,%rax,4){%k1}
    1d06:	vmovups %zmm3,0x40(%rcx,%rax,4){%k2}
    1d0e:	vmovups %zmm2,0x80(%rcx,%rax,4){%k3}
    1d16:	vmovups %zmm0,0xc0(%rcx,%rax,4){%k4}
    1d1e:	inc    %r10
    1d21:	mov    (%rsp),%rax
    1d25:	add    %rax,%rsi
    1d28:	add    %rax,%rdx
    1d2b:	add    %rax,%r14
    1d2e:	cmp    %r10,0x58(%rsp)
    1d33:	je     1c70 <segment0.parallel.1+0x200>
    1d39:	mov    %r10,-0x50(%rsp)
    1d3e:	test   %r11,%r11
    1d41:	je     1fb0 <segment0.parallel.1+0x540>
    1d47:	mov    -0x58(%rsp),%rax
    1d4c:	mov    -0x50(%rsp),%rcx
    1d51:	add    %rcx,%rax
    1d54:	imul   0x68(%rsp),%rax
    1d5a:	mov    -0x8(%rsp),%rcx
    1d5f:	lea    (%rcx,%rax,4),%r12
    1d63:	mov    %r14,%rdi
    1d66:	mov    %rdx,%rbx
    1d69:	mov    %rsi,%rbp
    1d6c:	xor    %r13d,%r13d
    1d6f:	jmp    1dcd <segment0.parallel.1+0x35d>
    1d71:	data16 cs nopw 0x0(%rax,%rax,1)
    1d7c:	nopl   0x0(%rax)
    1d80:	vxorps %xmm1,%xmm1,%xmm1
    1d84:	vxorps %xmm2,%xmm2,%xmm2
    1d88:	vxorps %xmm3,%xmm3,%xmm3
    1d8c:	vmovups %zmm0,(%r12,%r13,4)
    1d93:	vmovups %zmm1,0x40(%r12,%r13,4)
    1d9b:	vmovups %zmm2,0x80(%r12,%r13,4)
    1da3:	vmovups %zmm3,0xc0(%r12,%r13,4)
    1dab:	add    $0x40,%r13
    1daf:	add    $0x100,%rbp
    1db6:	add    $0x100,%rbx
    1dbd:	add    $0x100,%rdi
    1dc4:	cmp    %r11,%r13
    1dc7:	je     1fb0 <segment0.parallel.1+0x540>
    1dcd:	vpxor  %xmm0,%xmm0,%xmm0
    1dd1:	test   %r15,%r15
    1dd4:	jle    1d80 <segment0.parallel.1+0x310>
    1dd6:	mov    %r15,%rcx
    1dd9:	mov    %r8,%rax
    1ddc:	xor    %r10d,%r10d
    1ddf:	vxorps %xmm1,%xmm1,%xmm1
    1de3:	vxorps %xmm2,%xmm2,%xmm2
    1de7:	vxorps %xmm3,%xmm3,%xmm3
    1deb:	nopl   0x0(%rax,%rax,1)
    1df0:	vbroadcastss -0x20(%rax),%zmm4
    1df7:	vfmadd231ps 0x38(%rbp,%r10,1),%zmm4,%zmm1
    1e02:	vfmadd231ps -0x8(%rbp,%r10,1),%zmm4,%zmm0
    1e0d:	vfmadd231ps 0x78(%rbp,%r10,1),%zmm4,%zmm2
    1e18:	vfmadd231ps 0xb8(%rbp,%r10,1),%zmm4,%zmm3
    1e23:	vbroadcastss -0x1c(%rax),%zmm4
    1e2a:	vfmadd231ps 0xbc(%rbp,%r10,1),%zmm4,%zmm3
    1e35:	vfmadd231ps 0x7c(%rbp,%r10,1),%zmm4,%zmm2
    1e40:	vfmadd231ps -0x4(%rbp,%r10,1),%zmm4,%zmm0
    1e4b:	vfmadd231ps 0x3c(%rbp,%r10,1),%zmm4,%zmm1
    1e56:	vbroadcastss -0x18(%rax),%zmm4
    1e5d:	vfmadd231ps 0x40(%rbp,%r10,1),%zmm4,%zmm1
    1e65:	vfmadd231ps 0x0(%rbp,%r10,1),%zmm4,%zmm0
    1e6d:	vfmadd231ps 0x80(%rbp,%r10,1),%zmm4,%zmm2
    1e75:	vfmadd231ps 0xc0(%rbp,%r10,1),%zmm4,%zmm3
    1e7d:	vbroadcastss -0x14(%rax),%zmm4
    1e84:	vfmadd231ps 0xb8(%rdi,%r10,1),%zmm4,%zmm3
    1e8f:	vfmadd231ps 0x78(%rdi,%r10,1),%zmm4,%zmm2
    1e9a:	vfmadd231ps -0x8(%rdi,%r10,1),%zmm4,%zmm0
    1ea5:	vfmadd231ps 0x38(%rdi,%r10,1),%zmm4,%zmm1
    1eb0:	vbroadcastss -0x10(%rax),%zmm4
    1eb7:	vfmadd231ps 0x3c(%rdi,%r10,1),%zmm4,%zmm1
    1ec2:	vfmadd231ps -0x4(%rdi,%r10,1),%zmm4,%zmm0
    1ecd:	vfmadd231ps 0x7c(%rdi,%r10,1),%zmm4,%zmm2
    1ed8:	vfmadd231ps 0xbc(%rdi,%r10,1),%zmm4,%zmm3
    1ee3:	vbroadcastss -0xc(%rax),%zmm4
    1eea:	vfmadd231ps 0xc0(%rdi,%r10,1),%zmm4,%zmm3
    1ef2:	vfmadd231ps 0x80(%rdi,%r10,1),%zmm4,%zmm2
    1efa:	vfmadd231ps (%rdi,%r10,1),%zmm4,%zmm0
    1f01:	vfmadd231ps 0x40(%rdi,%r10,1),%zmm4,%zmm1
    1f09:	vbroadcastss -0x8(%rax),%zmm4
    1f10:	vfmadd231ps 0x38(%rbx,%r10,1),%zmm4,%zmm1
    1f1b:	vfmadd231ps -0x8(%rbx,%r10,1),%zmm4,%zmm0
    1f26:	vfmadd231ps 0x78(%rbx,%r10,1),%zmm4,%zmm2
    1f31:	vfmadd231ps 0xb8(%rbx,%r10,1),%zmm4,%zmm3
    1f3c:	vbroadcastss -0x4(%rax),%zmm4
    1f43:	vfmadd231ps 0xbc(%rbx,%r10,1),%zmm4,%zmm3
    1f4e:	vfmadd231ps 0x7c(%rbx,%r10,1),%zmm4,%zmm2
    1f59:	vfmadd231ps -0x4(%rbx,%r10,1),%zmm4,%zmm0
    1f64:	vfmadd231ps 0x3c(%rbx,%r10,1),%zmm4,%zmm1
    1f6f:	vbroadcastss (%rax),%zmm4
    1f75:	vfmadd231ps 0x40(%rbx,%r10,1),%zmm4,%zmm1
    1f7d:	vfmadd231ps (%rbx,%r10,1),%zmm4,%zmm0
    1f84:	vfmadd231ps 0x80(%rbx,%r10,1),%zmm4,%zmm2
    1f8c:	vfmadd231ps 0xc0(%rbx,%r10,1),%zmm4,%zmm3
    1f94:	add    %r9,%r10
    1f97:	add    $0x24,%rax
    1f9b:	dec    %rcx
    1f9e:	jne    1df0 <segment0.parallel.1+0x380>
    1fa4:	jmp    1d8c <segment0.parallel.1+0x31c>
    1fa9:	nopl   0x0(%rax)
    1fb0:	cmpq   $0x0,0x8(%rsp)
    1fb6:	mov    -0x50(%rsp),%r10
    1fbb:	je     1d1e <segment0.parallel.1+0x2ae>
    1fc1:	vxorps %xmm1,%xmm1,%xmm1
    1fc5:	test   %r15,%r15
    1fc8:	jle    1ce0 <segment0.parallel.1+0x270>
    1fce:	mov    %r15,%rdi
    1fd1:	mov    %r8,%rbx
    1fd4:	mov    -0x18(%rsp),%r12
    1fd9:	vxorps %xmm3,%xmm3,%xmm3
    1fdd:	vxorps %xmm2,%xmm2,%xmm2
    1fe1:	vpxor  %xmm0,%xmm0,%xmm0
    1fe5:	data16 cs nopw 0x0(%rax,%rax,1)
    1ff0:	vmovups 0xb8(%rsi,%r12,1),%zmm4{%k4}{z}
    1ffb:	vmovups 0x78(%rsi,%r12,1),%zmm5{%k3}{z}
    2006:	vmovups 0x38(%rsi,%r12,1),%zmm6{%k2}{z}
    2011:	vmovups -0x8(%rsi,%r12,1),%zmm7{%k1}{z}
    201c:	vbroadcastss -0x20(%rbx),%zmm8
    2023:	vfmadd213ps %zmm1,%zmm8,%zmm7
    2029:	vfmadd213ps %zmm3,%zmm8,%zmm6
    202f:	vfmadd213ps %zmm2,%zmm8,%zmm5
    2035:	vmovups -0x4(%rsi,%r12,1),%zmm1{%k1}{z}
    2040:	vmovups 0x3c(%rsi,%r12,1),%zmm2{%k2}{z}
    204b:	vmovups 0x7c(%rsi,%r12,1),%zmm3{%k3}{z}
    2056:	vmovups 0xbc(%rsi,%r12,1),%zmm9{%k4}{z}
    2061:	vfmadd213ps %zmm0,%zmm8,%zmm4
    2067:	vbroadcastss -0x1c(%rbx),%zmm0
    206e:	vfmadd213ps %zmm4,%zmm0,%zmm9
    2074:	vfmadd213ps %zmm5,%zmm0,%zmm3
    207a:	vfmadd213ps %zmm6,%zmm0,%zmm2
    2080:	vmovups 0xc0(%rsi,%r12,1),%zmm4{%k4}{z}
    2088:	vmovups 0x80(%rsi,%r12,1),%zmm5{%k3}{z}
    2090:	vmovups 0x40(%rsi,%r12,1),%zmm6{%k2}{z}
    2098:	vfmadd213ps %zmm7,%zmm0,%zmm1
    209e:	vmovups (%rsi,%r12,1),%zmm0{%k1}{z}
    20a5:	vbroadcastss -0x18(%rbx),%zmm7
    20ac:	vfmadd213ps %zmm1,%zmm7,%zmm0
    20b2:	vfmadd213ps %zmm2,%zmm7,%zmm6
    20b8:	vfmadd213ps %zmm3,%zmm7,%zmm5
    20be:	vmovups -0x8(%r14,%r12,1),%zmm1{%k1}{z}
    20c9:	vmovups 0x38(%r14,%r12,1),%zmm2{%k2}{z}
    20d4:	vmovups 0x78(%r14,%r12,1),%zmm3{%k3}{z}
    20df:	vmovups 0xb8(%r14,%r12,1),%zmm8{%k4}{z}
    20ea:	vbroadcastss -0x14(%rbx),%zmm10
    20f1:	vfmadd213ps %zmm9,%zmm7,%zmm4
    20f7:	vfmadd213ps %zmm4,%zmm10,%zmm8
    20fd:	vfmadd213ps %zmm5,%zmm10,%zmm3
    2103:	vfmadd213ps %zmm6,%zmm10,%zmm2
    2109:	vmovups 0xbc(%r14,%r12,1),%zmm4{%k4}{z}
    2114:	vmovups 0x7c(%r14,%r12,1),%zmm5{%k3}{z}
    211f:	vmovups 0x3c(%r14,%r12,1),%zmm6{%k2}{z}
    212a:	vmovups -0x4(%r14,%r12,1),%zmm7{%k1}{z}
    2135:	vfmadd213ps %zmm0,%zmm10,%zmm1
    213b:	vbroadcastss -0x10(%rbx),%zmm0
    2142:	vfmadd213ps %zmm1,%zmm0,%zmm7
    2148:	vfmadd213ps %zmm2,%zmm0,%zmm6
    214e:	vfmadd213ps %zmm3,%zmm0,%zmm5
    2154:	vmovups (%r14,%r12,1),%zmm1{%k1}{z}
    215b:	vmovups 0x40(%r14,%r12,1),%zmm2{%k2}{z}
    2163:	vmovups 0x80(%r14,%r12,1),%zmm3{%k3}{z}
    216b:	vfmadd213ps %zmm8,%zmm0,%zmm4
    2171:	vmovups 0xc0(%r14,%r12,1),%zmm0{%k4}{z}
    2179:	vbroadcastss -0xc(%rbx),%zmm8
    2180:	vfmadd213ps %zmm4,%zmm8,%zmm0
    2186:	vfmadd213ps %zmm5,%zmm8,%zmm3
    218c:	vfmadd213ps %zmm6,%zmm8,%zmm2
    2192:	vmovups 0xb8(%rdx,%r12,1),%zmm4{%k4}{z}
    219d:	vmovups 0x78(%rdx,%r12,1),%zmm5{%k3}{z}
    21a8:	vmovups 0x38(%rdx,%r12,1),%zmm6{%k2}{z}
    21b3:	vmovups -0x8(%rdx,%r12,1),%zmm9{%k1}{z}
    21be:	vbroadcastss -0x8(%rbx),%zmm10
    21c5:	vfmadd213ps %zmm7,%zmm8,%zmm1
    21cb:	vfmadd213ps %zmm1,%zmm10,%zmm9
    21d1:	vfmadd213ps %zmm2,%zmm10,%zmm6
    21d7:	vfmadd213ps %zmm3,%zmm10,%zmm5
    21dd:	vmovups -0x4(%rdx,%r12,1),%zmm7{%k1}{z}
    21e8:	vmovups 0x3c(%rdx,%r12,1),%zmm8{%k2}{z}
    21f3:	vmovups 0x7c(%rdx,%r12,1),%zmm11{%k3}{z}
    21fe:	vmovups 0xbc(%rdx,%r12,1),%zmm12{%k4}{z}
    2209:	vfmadd213ps %zmm0,%zmm10,%zmm4
    220f:	vbroadcastss -0x4(%rbx),%zmm1
    2216:	vfmadd213ps %zmm4,%zmm1,%zmm12
    221c:	vfmadd213ps %zmm5,%zmm1,%zmm11
    2222:	vfmadd213ps %zmm6,%zmm1,%zmm8
    2228:	vmovups 0xc0(%rdx,%r12,1),%zmm0{%k4}{z}
    2230:	vmovups 0x80(%rdx,%r12,1),%zmm2{%k3}{z}
    2238:	vmovups 0x40(%rdx,%r12,1),%zmm3{%k2}{z}
    2240:	vfmadd213ps %zmm9,%zmm1,%zmm7
    2246:	vmovups (%rdx,%r12,1),%zmm1{%k1}{z}
    224d:	vbroadcastss (%rbx),%zmm4
    2253:	vfmadd213ps %zmm7,%zmm4,%zmm1
    2259:	vfmadd213ps %zmm8,%zmm4,%zmm3
    225f:	vfmadd213ps %zmm11,%zmm4,%zmm2
    2265:	vfmadd213ps %zmm12,%zmm4,%zmm0
    226b:	add    %r9,%r12
    226e:	add    $0x24,%rbx
    2272:	dec    %rdi
    2275:	jne    1ff0 <segment0.parallel.1+0x580>
    227b:	jmp    1cec <segment0.parallel.1+0x27c>
    2280:	mov    $0x2,%eax
    2285:	add    $0x10,%rsp
    2289:	pop    %rbx
    228a:	pop    %r12
    228c:	pop    %r13
    228e:	pop    %r14
    2290:	pop    %r15
    2292:	pop    %rbp
    2293:	vzeroupper
    2296:	ret
    2297:	nopw   0x0(%rax,%rax,1)

00000000000022a0 <segment0.chunk.2>:
    22a0:	push   %r14
    22a2:	push   %rbx
    22a3:	sub    $0x58,%rsp
    22a7:	mov    (%rdi),%rax
    22aa:	mov    0x8(%rdi),%rsi
    22ae:	mov    0x10(%rdi),%rbx
    22b2:	mov    0x18(%rdi),%r10
    22b6:	mov    0x20(%rdi),%r11
    22ba:	mov    0x28(%rdi),%r9
    22be:	vmovups 0x30(%rdi),%ymm0
    22c3:	vmovups 0x50(%rdi),%xmm1
    22c8:	mov    (%r8),%rdi
    22cb:	test   %rdi,%rdi
    22ce:	lea    0x0(%rip),%r14        # 22d5 <segment0.chunk.2+0x35>
    22d5:	cmovne %rdi,%r14
    22d9:	mov    %r8,0x48(%rsp)
    22de:	mov    %r14,0x40(%rsp)
    22e3:	mov    %rcx,0x38(%rsp)
    22e8:	mov    %rdx,0x30(%rsp)
    22ed:	vmovups %xmm1,0x20(%rsp)
    22f3:	vmovups %ymm0,(%rsp)
    22f8:	mov    %rax,%rdi
    22fb:	mov    %rbx,%rdx
    22fe:	mov    %r10,%rcx
    2301:	mov    %r11,%r8
    2304:	vzeroupper
    2307:	call   1a70 <segment0.parallel.1>
    230c:	add    $0x58,%rsp
    2310:	pop    %rbx
    2311:	pop    %r14
    2313:	ret
    2314:	data16 cs nopw 0x0(%rax,%rax,1)
    231f:	nop

0000000000002320 <segment0>:
    2320:	sub    $0x28,%rsp
    2324:	mov    (%rsi),%rax
    2327:	mov    0x8(%rsi),%r11
    232b:	mov    0x10(%rsi),%r10
    232f:	mov    (%rdi),%rcx
    2332:	mov    0x8(%rdi),%r8
    2336:	mov    0x10(%rdi),%r9
    233a:	vmovups 0x18(%rdi),%xmm0
    233f:	mov    (%rdx),%rsi
    2342:	test   %rsi,%rsi
    2345:	lea    0x0(%rip),%rdi        # 234c <segment0+0x2c>
    234c:	cmovne %rsi,%rdi
    2350:	mov    %rdx,0x18(%rsp)
    2355:	mov    %rdi,0x10(%rsp)
    235a:	vmovups %xmm0,(%rsp)
    235f:	mov    %rax,%rdi
    2362:	mov    %r11,%rsi
    2365:	mov    %r10,%rdx
    2368:	call   0 <segment0.inner>
    236d:	add    $0x28,%rsp
    2371:	ret
