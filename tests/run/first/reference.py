"""What the programs of this folder should print, by NumPy and SciPy: python3 reference.py."""
import numpy as np, math
np.set_printoptions(suppress=True)
def hdr(s): print("==", s)
hdr("bio")
a,b="GATTACAGGT","GCATGCTTAG"
code={'A':0,'C':1,'G':2}
x=[code.get(c,3) for c in a];y=[code.get(c,3) for c in b]
m,n=len(a),len(b);F=np.zeros((m+1,n+1),int)
def sc(p,q): return 3 if p==q else (-1 if (p-q)%2==0 else -2)
for i in range(m+1):F[i,0]=-2*i
for j in range(n+1):F[0,j]=-2*j
for i in range(1,m+1):
  for j in range(1,n+1):F[i,j]=max(F[i-1,j-1]+sc(x[i-1],y[j-1]),F[i-1,j]-2,F[i,j-1]-2)
print(F[m,n],F.max(1),sum(p==q for p,q in zip(x,y)))
hdr("seir")
S,E,I,R=[1e6-10],[0.],[10.],[0.]
con=lambda d:.35 if 40<=d<90 else 1.
for t in range(200):
  inf=.4*con(t)*S[t]*I[t]/1e6
  S.append(S[t]-inf);E.append(E[t]+inf-E[t]/5.2);I.append(I[t]+E[t]/5.2-.1*I[t]);R.append(R[t]+.1*I[t])
I=np.array(I[:200]);pk=I.argmax();rep=[.4*con(t)/.1*S[t]/1e6 for t in range(200)]
print(pk,I[pk],R[199],min(t for t in range(200) if rep[t]<1))
hdr("mortgage")
p,r,M=250000.,.036/12,240
pay=p*r/(1-(1+r)**-M);bal=[p];it=[0]
for i in range(M):
  it.append(bal[-1]*r);bal.append(bal[-1]+it[-1]-pay)
f=[p]
for i in range(M):f.append(max(f[-1]*(1+r)-pay-200,0))
po=min(i for i in range(M+1) if f[i]==0);cost=sum(f[:M])*r
print(pay,sum(it),sum(it[1:13]),bal[-1],po,sum(it)-cost)
hdr("options")
from scipy.stats import norm
s,k,r,v,t=100.,105.,.03,.25,.75
d1=(math.log(s/k)+(r+v*v/2)*t)/(v*t**.5);d2=d1-v*t**.5
ex=s*norm.cdf(d1)-k*math.exp(-r*t)*norm.cdf(d2)
N=200;dt=t/N;u=math.exp(v*dt**.5);pp=(math.exp(r*dt)-1/u)/(u-1/u)
V=np.maximum(s*u**(2*np.arange(N+1.)-N)-k,0)
for m in range(N):V=math.exp(-r*dt)*(pp*V[1:]+(1-pp)*V[:-1])
print(ex,V[0],V[0]-ex)
hdr("life")
n=16;c=np.zeros((n,n),int)
for i,j in[(1,2),(2,3),(3,1),(3,2),(3,3),(11,10),(11,11),(11,12)]:c[i,j]=1
L=[c.sum()]
for t in range(39):
  ar=sum(np.roll(np.roll(c,a,0),b,1) for a in(-1,0,1) for b in(-1,0,1))-c
  c=((ar==3)|((ar==2)&(c==1))).astype(int);L.append(c.sum())
print(L[0],L[10],L[39],(c*np.arange(n)[:,None]).sum(),(c*np.arange(n)).sum(),all(l==L[0] for l in L))
hdr("pagerank")
Lk=np.array([[0,1,1,0,0,1],[1,0,1,0,0,0],[0,0,0,1,0,0],[0,1,0,0,1,0],[0,0,0,0,0,1],[1,0,0,0,0,0]]);P=Lk/Lk.sum(1)[:,None]
rk=np.ones(6)/6
for t in range(99):rk=.15/6+.85*rk@P
print(rk,np.argsort(-rk))
hdr("floyd")
n=12;d=np.full((n,n),np.inf)
for i in range(n):
  d[i,(i+5)%n]=2.5;d[i,(i+1)%n]=1+.1*i;d[i,i]=0
for k in range(n):d=np.minimum(d,d[:,k:k+1]+d[k:k+1,:])
print(d.max(),np.unravel_index(d.argmax(),d.shape),d.sum()/(n*(n-1)),d.max(1))
hdr("edges")
R_,C_=np.mgrid[0:24,0:32];img=np.where((R_-12)**2+(C_-16)**2<64,200.,30.+C_)
w=np.exp(-((np.arange(5)-2.)**2)/2);K=np.outer(w,w)/w.sum()**2
from scipy.signal import correlate2d
B=correlate2d(img,K,'valid');gx=np.array([[-1,0,1],[-2,0,2],[-1,0,1.]])
dx=correlate2d(B,gx,'valid');dy=correlate2d(B,gx.T,'valid');mg=np.sqrt(dx**2+dy**2)
print(B.shape,mg.shape,mg.max(),np.unravel_index(mg.argmax(),mg.shape),(mg>.5*mg.max()).sum(), np.sort(mg.ravel())[-5:])
hdr("chol")
n=8;A=np.array([[4.+i if i==j else 1/(1+i+j) for j in range(n)] for i in range(n)]);b=1+.5*np.arange(n)
print(np.linalg.solve(A,b),np.linalg.det(A),np.diag(np.linalg.cholesky(A)))
hdr("power")
A=np.array([[1/(i+j+1) for j in range(6)] for i in range(6)]);w,v=np.linalg.eigh(A);print(w[-1],v[:,-1],A.trace())
hdr("kmeans")
n=60;pts=np.array([[math.cos(2.1*(i%3))*4,math.sin(2.1*(i%3))*4] for i in range(n)])+.8*np.sin(12.9898*np.arange(n)[:,None]+78.233*np.arange(2))
ce=pts[:3].copy()
for t in range(10):
  D=((pts[:,None]-ce)**2).sum(2);lb=D.argmin(1)
  if t==9:break
  ce=np.array([pts[lb==a].mean(0) for a in range(3)])
print(D.min(1).sum(),np.bincount(lb),ce)
hdr("logistic")
n=60;i=np.arange(n);X=np.stack([np.ones(n)]+[np.sin(.7*i*k)+.1*np.cos(3.*i) for k in(1,2)],1);y=(X[:,1]+.5*X[:,2]>.1)*1.
w=np.zeros(3)
for t in range(300):
  p=1/(1+np.exp(-X@w));l=-(y*np.log(p)+(1-y)*np.log(1-p)).mean()
  if t==299:break
  w=w-.5*X.T@(p-y)/n
print(l,w,((p>.5)==(y==1)).mean())
hdr("pendulum")
th,om=[.8],[0.];h=.01
f=lambda a,b:(b,-9.81/1.2*math.sin(a)-.15*b)
for t in range(599):
  a,b=th[-1],om[-1];k1=f(a,b);k2=f(a+h/2*k1[0],b+h/2*k1[1]);k3=f(a+h/2*k2[0],b+h/2*k2[1]);k4=f(a+h*k3[0],b+h*k3[1])
  th.append(a+h/6*(k1[0]+2*k2[0]+2*k3[0]+k4[0]));om.append(b+h/6*(k1[1]+2*k2[1]+2*k3[1]+k4[1]))
print(th[-1],sum(om[t]*om[t+1]<0 for t in range(599)),max(th[300:]))
hdr("lv")
xs,ys=[10.],[10.];h=.02
g=lambda x,y:(1.1*x-.4*x*y,.1*x*y-.4*y)
for t in range(1999):
  x,y=xs[-1],ys[-1];d=g(x,y);e=g(x+h*d[0],y+h*d[1]);xs.append(x+h*(d[0]+e[0])/2);ys.append(y+h*(d[1]+e[1])/2)
print(xs[-1],ys[-1],np.mean(xs),[t for t in range(1,1999) if xs[t]>xs[t-1] and xs[t]>xs[t+1]])
hdr("heat2d")
n=30;u=np.zeros((n,n));u[:,0]=100
for t in range(399):
  v=u.copy();v[1:-1,1:-1]=u[1:-1,1:-1]+.2*(u[2:,1:-1]+u[:-2,1:-1]+u[1:-1,2:]+u[1:-1,:-2]-4*u[1:-1,1:-1]);u=v
print(u.sum()*.01,u[15,15],(u>20).sum())
hdr("orbit")
gm=4*math.pi**2;dt=.002;e=.3
x,y,vx,vy=1-e,0.,0.,math.sqrt(gm*(1+e)/(1-e));tr=[(x,y,vx,vy)]
pl=lambda x,y:(-gm*x/(x*x+y*y)**1.5,-gm*y/(x*x+y*y)**1.5)
for t in range(1499):
  a=pl(x,y);hx=vx+dt/2*a[0];hy=vy+dt/2*a[1];x+=dt*hx;y+=dt*hy;a=pl(x,y);vx=hx+dt/2*a[0];vy=hy+dt/2*a[1];tr.append((x,y,vx,vy))
T=np.array(tr);En=(T[:,2]**2+T[:,3]**2)/2-gm/np.hypot(T[:,0],T[:,1]);mo=T[:,0]*T[:,3]-T[:,1]*T[:,2]
print(En[0],abs(En/En[0]-1).max(),mo[0],mo[-1],np.hypot(T[:,0],T[:,1]).max(),x,y)
hdr("dft")
t=np.arange(64);x=np.sin(2*np.pi*5*t/64)+.5*np.cos(2*np.pi*12*t/64)+.1;P=abs(np.fft.fft(x))/64
print([k for k in range(32) if P[k]>.05],P[[0,5,12]],(x**2).sum())
hdr("filter")
n=120;t=np.arange(n);s=.5*t*.01+.2*np.sin(37.*t);sm=np.convolve(s,np.ones(9)/9,'valid');em=[s[0]]
for k in range(1,n):em.append(.75*em[-1]+.25*s[k])
w=2*math.pi*4*.01;al=math.sin(w)/(2/math.sqrt(2));b0=(1-math.cos(w))/2;a0=1+al;lo=[s[0],s[1]]
for k in range(2,n):lo.append((b0*s[k]+2*b0*s[k-1]+b0*s[k-2]+2*math.cos(w)*lo[-1]-(1-al)*lo[-2])/a0)
ro=lambda x:math.sqrt((np.diff(x)**2).mean())
print(ro(s),ro(sm),ro(em),ro(lo),sm[-1],em[-1],lo[-1])
hdr("boot")
data=np.array([2.1,3.4,1.9,5.6,4.4,3.8,2.7,6.1,3.3,4.9,2.2,5.0]);sd=[12345]
while len(sd)<2400:sd.append(sd[-1]*16807%2147483647)
m=np.sort(data[np.array(sd).reshape(200,12)%12].mean(1));print(data.mean(),m.mean(),m.std(ddof=1),m[5],m[194])
hdr("reg")
x=.1*np.arange(60);y=1.5+.8*x+.3*np.sin(7*x)
from scipy.stats import linregress
q=linregress(x,y);print(q.slope,q.stderr,q.intercept,q.rvalue**2,q.slope/q.stderr,np.argmax(y-q.intercept-q.slope*x))
hdr("hmm")
rolls=[3,1,5,1,1,6,2,4,6,4,4,6,6,4,4,2,4,5,3,6,6,6,6,6,1,6,6,6,2,6];T=30
mv=np.array([[.95,.05],[.1,.9]]);em=lambda s,f:1/6 if s==0 else (.5 if f==6 else .1)
E=np.array([[em(s,f) for s in(0,1)] for f in rolls])
al=[];sc=[]
for t in range(T):
  r=E[t]*(np.array([.5,.5]) if t==0 else al[-1]@mv);sc.append(r.sum());al.append(r/r.sum())
be=[None]*T;be[-1]=np.ones(2)
for t in range(T-2,-1,-1):be[t]=mv@(E[t+1]*be[t+1])/sc[t+1]
b=np.log(.5*E[0]);fr=[None]
for t in range(1,T):
  c=b[:,None]+np.log(mv);fr.append(c.argmax(0));b=np.log(E[t])+c.max(0)
p=[b.argmax()]
for t in range(T-1,0,-1):p.append(fr[t][p[-1]])
print(sum(map(math.log,sc)),p[::-1],(al[10]*be[10])[1],(al[25]*be[25])[1])
hdr("seq")
d="ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG";print(len(d),(d.count('G')+d.count('C'))/len(d),[d.count(c) for c in "ACGT"],d[::-1].translate(str.maketrans("ACGT","TGCA")))
print([d[3*k:3*k+3] for k in range(13)])
hdr("knap")
w=[12,7,11,8,9,6,5,14,3,10];v=[24,13,23,15,16,11,8,28,5,19]
B=np.zeros((11,41),int)
for i in range(1,11):
  for c in range(41):B[i,c]=max(B[i-1,c],v[i-1]+B[i-1,c-w[i-1]]) if c>=w[i-1] else B[i-1,c]
r=40;tk=[]
for i in range(9,-1,-1):
  if B[i+1,r]!=B[i,r]:tk.append(i);r-=w[i]
print(B[10,40],40-r,tk[::-1],min(c for c in range(41) if B[10,c]>=50),np.diff(B[10]).max())
hdr("leslie")
bi=[0,.8,1.6,1.1,.3];su=[.55,.7,.65,.4];L=np.zeros((5,5));L[0]=bi
for i in range(4):L[i+1,i]=su[i]
n=np.full(5,100.);h=[n]
for t in range(59):n=L@n;h.append(n)
g=h[-1].sum()/h[-2].sum();st=h[-1]/h[-1].sum();v=np.ones(5)
for t in range(59):v=v@L;v/=v.sum()
el=L*np.outer(v,st)/(g*(st@v));print(g,math.log(2)/math.log(g),st,np.unravel_index(el.argmax(),(5,5)),el.max())
hdr("mc")
P,D=500,20;s=[2024]
for k in range(2*P*D-1):s.append((1103515245*s[-1]+12345)%2147483648)
u=(np.array(s)+.5)/2147483648;z=(np.sqrt(-2*np.log(u[0::2]))*np.cos(2*np.pi*u[1::2])).reshape(P,D)
dt=1/252;pr=100*np.exp(np.cumsum((.02-.045)*dt+.3*math.sqrt(dt)*z,1));av=pr.mean(1);po=np.maximum(av-100,0);ds=math.exp(-.02*20*dt);x=ds*po
print(x.mean(),x.std(ddof=1)/math.sqrt(P),(po>0).mean(),z.mean(),(z**2).mean())
hdr("portfolio")
m=np.arange(36)[:,None];a=np.arange(4)[None];R=.004*(a+1)+.01*(a+1)*np.sin(1.7*m+a*a)+.006*np.sin(.9*m);mu=R.mean(0);C=np.cov(R.T)
K=np.zeros((6,6));K[:4,:4]=2*C;K[:4,4]=mu;K[:4,5]=1;K[4,:4]=mu;K[5,:4]=1
w=np.linalg.solve(K,[0,0,0,0,.011,1])[:4];print(w,w.sum(),w@mu,math.sqrt(w@C@w))
hdr("bf")
fr=[0,0,1,1,2,2,3,4,4,5];to=[1,2,2,3,1,4,5,3,5,2];c=[4,2,3,2,1,5,1,-5,4,2.5]
d=[0]+[math.inf]*5
for r in range(6):
  e=list(d)
  for a,b,k in zip(fr,to,c):e[b]=min(e[b],d[a]+k)
  d=e
  if r==1:two=sum(x<math.inf for x in d)
print(d,two)
hdr("otsu")
r,c=np.mgrid[0:32,0:32];sp=lambda a,b,s:np.exp(-((r-a)**2+(c-b)**2)/s)
br=sp(8,9,10.)+.9*sp(20,22,14.)+.8*sp(25,6,8.);v=5+50*br+(r*7+c*3)%5
pic=np.round(v).astype(int);print("tie risk",abs(v-np.floor(v)-.5).min())
H=np.bincount(pic.ravel(),minlength=64);p=H/1024;W=p.cumsum();M=(np.arange(64)*p).cumsum()
with np.errstate(all='ignore'):va=np.where((W>0)&(W<1),(M[-1]*W-M)**2/(W*(1-W)),0)
th=va.argmax();mask=pic>th
from scipy.ndimage import label
lab,nl=label(mask,np.ones((3,3)));print(pic.min(),pic.max(),th,mask.sum(),nl,sorted(max(np.flatnonzero((lab==q).ravel())) for q in range(1,nl+1)), np.sort(va)[-3:])
hdr("cg")
N=40;A=2*np.eye(N)-np.eye(N,k=1)-np.eye(N,k=-1);b=1/(1+np.arange(N));x=np.zeros(N);rr=b.copy();q=b.copy()
for k in range(39):
  Ap=A@q;al=rr@rr/(q@Ap);x=x+al*q;rn=rr-al*Ap;be=rn@rn/(rr@rr);rr=rn;q=rr+be*q
  if k==9:print("ten",np.linalg.norm(rr))
print(np.linalg.norm(rr),x[0],x[20],x[39],np.linalg.solve(A,b)[[0,20,39]])
hdr("gauss")
A=np.array([[0,2,1,-1,3],[4,1,0,2,1],[1,-3,5,.5,0],[2,2,2,8,-1],[3,0,-2,1,6.]]);b=np.array([5,8,3.5,13,8]);print(np.linalg.solve(A,b),np.linalg.det(A))
M=A.copy();pv=[]
for k in range(5):
  q=k+abs(M[k:,k]).argmax();pv.append(q);M[[k,q]]=M[[q,k]]
  for i in range(k+1,5):M[i]-=M[i,k]/M[k,k]*M[k]
print(pv)
hdr("mlp")
n=80;i=np.arange(n);r=.1+.025*i;x=np.stack([r*np.cos(2.4*i),r*np.sin(2.4*i)],1);y=(i<40)*1.
h=np.arange(8);W=.8*np.sin(3.*h[:,None]+5.*np.arange(3)+1);V=.5*np.cos(2.*h);B=0.;mW=0*W;mV=0*V;mB=0.
X1=np.c_[x,np.ones(n)]
for t in range(150):
  a=np.tanh(X1@W.T);p=1/(1+np.exp(-(a@V+B)));l=-np.where(y>.5,np.log(p),np.log(1-p)).mean()
  if t in(0,50,149):print(l,end=' ')
  if t==149:break
  dz=(p-y)/n;gV=a.T@dz;gB=dz.sum();da=np.outer(dz,V)*(1-a*a);gW=da.T@X1
  mW=.8*mW+gW;mV=.8*mV+gV;mB=.8*mB+gB;W=W-.3*mW;V=V-.3*mV;B-=.3*mB
print(((p>.5)==(y>.5)).sum())
hdr("knn")
n=45;i=np.arange(n);lb=i%3;F=np.stack([np.cos(2.*lb)+.7*np.sin(5.1*i),np.sin(2.*lb)+.7*np.cos(3.3*i),.3*np.sin(i)],1);D=np.sqrt(((F[:,None]-F)**2).sum(2));o=np.argsort(D,1,kind='stable')
g=[np.bincount(lb[o[k,1:6]],minlength=3).argmax() for k in range(n)];cm=np.zeros((3,3),int)
for a,b in zip(lb,g):cm[a,b]+=1
print(cm)
hdr("vdp")
def vdp(steps,h=.01,mu=5.):
  x,v=[2.],[0.]
  for t in range(1,steps):
    a,b=x[-1],v[-1];w=b
    for k in range(4):
      yy=a+h*w;f=w-b-h*(mu*(1-yy**2)*w-yy);df=1-h*(mu*(1-yy**2)-2*mu*yy*h*w-h);w=w-f/df
    x.append(a+h*w);v.append(w)
  return np.array(x),np.array(v)
for st in(1500,3000):
  x,v=vdp(st);c=[t*.01 for t in range(1,st) if x[t-1]<0 and x[t]>=0];print(c,x.max(),x.min(),abs(v).max())
hdr("newton")
f=lambda a,b:(1-a)**2+100*(b-a*a)**2
x,y=-1.2,1.;fs=[]
for k in range(12):
  fs.append(f(x,y));gx=-2*(1-x)-400*x*(y-x*x);gy=200*(y-x*x);H=np.array([[2-400*(y-3*x*x),-400*x],[-400*x,200.]]);s=np.linalg.solve(H,[gx,gy])
  if k<11:x-=s[0];y-=s[1]
print(x,y,min(k for k in range(12) if fs[k]<1e-12),fs[:4])
a,b=-1.2,1.
for k in range(50):
  da=-2*(1-a)-400*a*(b-a*a);db=200*(b-a*a);s=da*da+db*db
  q=next(q for q in range(30) if f(a-.5**q*da,b-.5**q*db)<f(a,b)-1e-4*.5**q*s);a-=.5**q*da;b-=.5**q*db
print(a,b,f(a,b))
hdr("poisson")
def solve(n,sw):
  h=1/(n-1);g=np.arange(n)*h;F=2*np.pi**2*np.outer(np.sin(np.pi*g),np.sin(np.pi*g));u=np.zeros((n,n))
  for k in range(sw-1):
    w=np.zeros((n,n));w[1:-1,1:-1]=(u[:-2,1:-1]+u[2:,1:-1]+u[1:-1,:-2]+u[1:-1,2:]+h*h*F[1:-1,1:-1])/4;u=w
  return u,abs(u-np.outer(np.sin(np.pi*g),np.sin(np.pi*g))).max()
e=[solve(*q)[1] for q in((9,400),(17,1500),(33,6000))];print(e,math.log2(e[0]/e[1]),math.log2(e[1]/e[2]),solve(9,400)[0][4])
hdr("wave")
n=81;dx=1/80;dt=.5*dx/2;r2=(2*dt/dx)**2;X=np.arange(n)*dx;s=np.where(X<.3,X/.3,(1-X)/.7);U=[s]
def lap(u):return u[2:]-2*u[1:-1]+u[:-2]
u=np.zeros(n);u[1:-1]=s[1:-1]+r2/2*lap(s);U.append(u)
for t in range(2,321):
  u=np.zeros(n);u[1:-1]=2*U[-1][1:-1]-U[-2][1:-1]+r2*lap(U[-1]);U.append(u)
print(320*dt,abs(U[320]-s).max(),[2*dx*(s*np.sin(np.pi*j*X)).sum() for j in(1,2,3,4)])
hdr("nbody")
B=5;i=np.arange(B);m=1/(1+i);p=np.stack([np.cos(1.3*i),np.sin(1.3*i),.1*i],1);v=np.stack([-.6*np.sin(1.3*i),.6*np.cos(1.3*i),0*i],1)
def acc(p):
  d=p[None]-p[:,None];r2=.01+(d**2).sum(2);w=m[None]/r2**1.5;np.fill_diagonal(w,0);return (w[:,:,None]*d).sum(1)
def en(p,v):
  d=p[None]-p[:,None];r=np.sqrt(.01+(d**2).sum(2));return (m[:,None]*v**2).sum()/2-sum(m[a]*m[b]/r[a,b] for a in range(B) for b in range(a+1,B))
e0=en(p,v);a=acc(p)
for t in range(299):h=v+.005*a;p=p+.01*h;a=acc(p);v=h+.005*a
print(e0,en(p,v),(m[:,None]*v).sum(0),p[0])
hdr("fft")
t=np.arange(16);x=1/(1+t)+np.where(t%3==0,.5,0);f=np.fft.fft(x);print(f.real,(abs(f)**2).sum()/16,(x**2).sum())
hdr("anova")
from scipy.stats import f_oneway
a,b,c=[6.1,5.8,7.0,6.4,5.9],[7.3,6.9,7.8,7.1],[5.2,5.9,4.8,5.5,5.1,5.7];al=np.array(a+b+c);w=sum(((np.array(q)-np.mean(q))**2).sum() for q in(a,b,c));tt=((al-al.mean())**2).sum();print(np.mean(a),np.mean(b),np.mean(c),f_oneway(a,b,c).statistic,tt-w,w,tt,(tt-w)/tt)
hdr("kde")
i=np.arange(200);s=2*np.sin(1.3*i)+np.sin(.37*i*i);q=np.quantile(s,[.25,.5,.75]);sd=s.std(ddof=1);wd=(s.max()-s.min())/8;bn=np.minimum(((s-s.min())/wd).astype(int),7)
bw=.9*min(sd,(q[2]-q[0])/1.34)/200**.2;g=-4+.1*np.arange(81);de=np.exp(-.5*((g[:,None]-s)/bw)**2).mean(1)/(bw*np.sqrt(2*np.pi))
print(s.mean(),sd,q[1],q[2]-q[0],np.bincount(bn),bw,.1*de.sum(),g[de.argmax()])
hdr("kepler")
def pos(a,e,P,w,d):
  M=(2*math.pi*d/P)%(2*math.pi);E=M
  for k in range(11):E-=(E-e*math.sin(E)-M)/(1-e*math.cos(E))
  x=a*(math.cos(E)-e);y=a*math.sqrt(1-e*e)*math.sin(E);c,s=math.cos(w),math.sin(w);return c*x-s*y,s*x+c*y
m=np.array([pos(.387,.2056,87.97,math.radians(77.46),d) for d in range(366)]);t=np.array([pos(1,.0167,365.25,math.radians(102.95),d) for d in range(366)])
ds=np.hypot(*(m-t).T);r=np.hypot(*m.T);print(ds.argmin(),ds.min(),ds.argmax(),ds.max(),r.min(),r.max())
hdr("brusselator")
def run(h,n):
  f=lambda u:np.array([1+u[0]**2*u[1]-4*u[0],3*u[0]-u[0]**2*u[1]]);u=np.array([1.5,3.]);o=[u]
  for k in range(n-1):
    a=f(u);b=f(u+h/2*a);c=f(u+h/2*b);d=f(u+h*c);u=u+h/6*(a+2*b+2*c+d);o.append(u)
  return np.array(o)
A,B,C=run(.02,501),run(.01,1001),run(.005,2001);d1=abs(A[500]-B[1000]).max();d2=abs(B[1000]-C[2000]).max();print(C[2000],math.log2(d1/d2),C[:,0].max(),C[:,0].argmax()*.005)
hdr("queue")
s=[2463534242];M=0xffffffff
for k in range(3999):
  x=s[-1];x^=(x<<13)&M;x^=x>>17;x^=(x<<5)&M;s.append(x)
u=(np.array(s)+.5)/4294967296.;g=-np.log(u[0::2])/.8;sv=-np.log(u[1::2]);ar=np.cumsum(g);w=[0.]
for c in range(1,2000):w.append(max(w[-1]+sv[c-1]-g[c],0))
w=np.array(w);lv=ar+w+sv;pr=np.arange(2000)-np.searchsorted(lv,ar)
print(w.mean(),np.sort(w)[1800],w.max(),(w==0).sum(),sv.sum()/lv[-1],pr.max()+1, "sorted", (np.diff(lv)>=0).all())
hdr("quantum")
n=120;dx=.1;dt=.005;V=np.where((np.arange(n)>=70)&(np.arange(n)<75),40.,0);x=np.arange(n)*dx;p=np.exp(-(x-3.5)**2/.5)*np.exp(6j*x)
H=np.diag(1/dx**2+V)-.5/dx**2*(np.eye(n,k=1)+np.eye(n,k=-1));L=np.eye(n)+.5j*dt*H;R=np.eye(n)-.5j*dt*H;n0=(abs(p)**2).sum()*dx
for t in range(159):p=np.linalg.solve(L,R@p)
q=abs(p)**2*dx;print(n0,q.sum(),q[75:].sum()/n0,q[:70].sum()/n0)
hdr("spline")
from scipy.interpolate import CubicSpline
xs=[0,1,2.5,3,4.5,6,7];ys=[0,.8,.6,.1,-.9,-.3,.7];c=CubicSpline(xs,ys,bc_type='natural');print(c(xs,2),c(.5*np.arange(15)),c.integrate(0,7))
hdr("quad")
f=lambda x:np.exp(-x)*np.sin(3*x);ex=(3-math.exp(-2)*(math.sin(6)+3*math.cos(6)))/10
def tr(n):
  y=f(np.linspace(0,2,n+1));return 2/n*(y.sum()-(y[0]+y[-1])/2)
y=f(np.linspace(0,2,65));si=2/64/3*(y[0]+y[-1]+4*y[1:-1:2].sum()+2*y[2:-1:2].sum());R=[[tr(2**i)] for i in range(6)]
for i in range(1,6):
  for j in range(1,i+1):R[i].append(R[i][j-1]+(R[i][j-1]-R[i-1][j-1])/(4**j-1))
gx,gw=np.polynomial.legendre.leggauss(8);print("%.12f %.12f %.1e %.12f %.1e %.12f %.12f"%(ex,tr(64),abs(tr(64)-ex),si,abs(si-ex),R[5][5],(gw*f(gx+1)).sum()))
hdr("neuro")
N=12;dr=1.15+.05*np.arange(N);W=np.array([[0. if i==j else (-.08 if j%4==0 else .02*(1+math.sin(1.*i*j))) for j in range(N)] for i in range(N)])
v=.08*np.arange(N);re=np.zeros(N,int);F=[]
for t in range(800):
  fi=v>=1;F.append(fi);nv=np.where(fi|(re>0),0,v+.5/20*(dr-v)+np.where(fi,W,0).sum(1));re=np.where(fi,4,np.maximum(re-1,0));v=nv
F=np.array(F);sp=F.sum(0);print(sp,sp.sum(),sp/(400)*1000,F.argmax(0)*.5,sp.argmax(),F.sum(1).max())
hdr("traffic")
L,cs=100,30;x=3*np.arange(cs);v=np.zeros(cs,int)
def nz(t,i):
  a=(t*7919+i*104729+12345)%65537;return a*a%65537%100
fl=[];hi=np.zeros(6,int);ok=True
for t in range(120):
  if t>0:
    v=np.array([max(wd[i]-1,0) if nz(t,i)<20 else wd[i] for i in range(cs)]);x=x+v
  gap=np.array([((x[i+1]-x[i]) if i+1<cs else x[0]+L-x[i])%L-1 for i in range(cs)]);ok&=(gap>=0).all();wd=np.minimum(np.minimum(v+1,5),np.maximum(gap,0))
  if t>=60:fl.append(v.sum());hi+=np.bincount(v,minlength=6)
print(sum(fl)/(60*cs),(v==0).sum(),hi,ok)
hdr("kalman")
n=80;dt=.1;Fm=np.array([[1,dt],[0,1]]);Q=np.diag([1e-4,1e-3]);k=np.arange(n);tru=2*np.sin(.8*k*dt)+.5*k*dt;z=tru+.4*np.sin(13.7*k)+.2*np.cos(31.1*k)
X=[np.array([z[0],0.])];P=[np.eye(2)];XP=[None];PP=[None];G=[None]
for i in range(1,n):
  xp=Fm@X[-1];pp=Fm@P[-1]@Fm.T+Q;g=pp[:,0]/(pp[0,0]+.25);X.append(xp+g*(z[i]-xp[0]));P.append(pp-np.outer(g,pp[0]));XP.append(xp);PP.append(pp);G.append(g)
S=[None]*n;S[-1]=X[-1]
for i in range(n-2,-1,-1):S[i]=X[i]+P[i]@Fm.T@np.linalg.inv(PP[i+1])@(S[i+1]-XP[i+1])
rm=lambda a:math.sqrt(((a-tru)**2).mean());print(rm(z),rm(np.array(X)[:,0]),rm(np.array(S)[:,0]),X[-1],S[0],G[-1])
hdr("audio")
n=1024;k=np.arange(n);s=np.sin(2*np.pi*261.6*k/8000)+.4*np.sin(4*np.pi*261.6*k/8000+.3);x=s*(.5-.5*np.cos(2*np.pi*k/(n-1)))
au=[(s[:n-400]*s[l:l+n-400]).sum()/(n-400) for l in range(400)];lg=20+np.argmax(au[20:]);print(lg,8000/lg,round(12*math.log2(8000/lg/440))+69, np.sort(au[20:])[-3:])
pw=[]
for f in(220,261.6,329.6):
  w=2*np.pi*f/8000;pw.append(abs((x*np.exp(-1j*w*k)).sum())**2)
print(10*np.log10(np.array(pw)/max(pw)),math.sqrt((x*x).mean()))
hdr("raymarch")
ln=lambda *p:math.sqrt(sum(q*q for q in p))
D=lambda x,y,z:min(min(ln(x,y-.2,z-4)-1,ln(x-1.6,y+.3,z-3.2)-.5),y+.8)
def sh(x,y,z):
  e=1e-4;a=D(x+e,y,z)-D(x-e,y,z);b=D(x,y+e,z)-D(x,y-e,z);c=D(x,y,z+e)-D(x,y,z-e);return max((-.5*a+.7*b-.5*c)/ln(a,b,c),0)
lit=sky=0
for r in range(16):
  row=''
  for c in range(40):
    d=((c-19.5)/16,(7.5-r)/9,1.5);l=ln(*d);d=[q/l for q in d];t=0
    for k in range(59):t+=D(t*d[0],t*d[1],t*d[2])
    b=-1. if t>20 else sh(t*d[0],t*d[1],t*d[2]);lit+=b>.5;sky+=b<0
    row+=' ' if b<0 else '.' if b<.25 else '-' if b<.5 else '+' if b<.75 else '#'
  print('|'+row+'|')
print(lit,sky)
hdr("text")
tx="the quick brown fox jumps over the lazy dog while the old cat sleeps under the tree";le=[ord(c)-97 for c in tx if c!=' '];fq=np.bincount(le,minlength=26);p=fq/len(le);print(len(le),len(tx.split()),-sum(q*math.log2(q) for q in p if q>0),chr(97+fq.argmax()),fq.max())
en=np.array([8.2,1.5,2.8,4.3,12.7,2.2,2.0,6.1,7.0,.15,.77,4.0,2.4,6.7,7.5,1.9,.095,6.0,6.3,9.1,2.8,.98,2.4,.15,2.0,.074]);se=np.bincount([(q+11)%26 for q in le],minlength=26)
mf=[((100*np.roll(se,-k)/len(le)-en)**2/en).sum() for k in range(26)];print(np.argmin(mf),min(mf))
hdr("prisoners")
def nx(s,o,b,t):return [True,False,o,not b,t%2==0][s]
mv=np.array([[s!=1]*5 for s in range(5)]);be=np.zeros((5,5),bool);sc=np.zeros((5,5),int);co=0
for t in range(30):
  if t>0:
    nb=be|~mv.T;mv=np.array([[nx(a,mv[b,a],nb[a,b],t) for b in range(5)] for a in range(5)]);be=nb
  co+=mv.sum();sc+=np.where(mv,np.where(mv.T,3,0),np.where(mv.T,5,1))
print(sc,sc.sum(1)-np.diag(sc),co/750)
hdr("sandpile")
n=21;p=np.zeros((n,n),int);p[10,10]=400;tp=0
for t in range(900):
  q=(p>=4).astype(int);tp+=q.sum()
  if t==899:break
  Z=np.pad(q,1);p=p-4*q+Z[:-2,1:-1]+Z[2:,1:-1]+Z[1:-1,:-2]+Z[1:-1,2:]
rows=np.flatnonzero(p.any(1));print((p<4).all(),p.sum(),np.bincount(p.ravel()),tp,rows[-1]-rows[0]+1,p[10])
b=np.zeros(63,bool);b[31]=1;cl=[]
for t in range(16):cl.append(int(b[31]));b=np.roll(b,1)^(b|np.roll(b,-1))
print(cl,int(''.join(map(str,cl)),2))
hdr("ar")
n=300;t=np.arange(n);nz_=np.sin(12.9898*t*t+4.1)*np.cos(78.233*t);y=[nz_[0]];y.append(.6*y[0]+nz_[1])
for k in range(2,n):y.append(.6*y[-1]-.3*y[-2]+nz_[k])
y=np.array(y);m=y.mean();ac=np.array([((y[l:]-m)*(y[:n-l]-m)).sum()/n for l in range(6)]);print(ac/ac[0])
from scipy.linalg import toeplitz
pa=[];v=[ac[0]]
for k in range(1,6):
  ph=np.linalg.solve(toeplitz(ac[:k]),ac[1:k+1]);pa.append(ph[-1]);v.append(ac[0]-ph@ac[1:k+1])
aic=[n*math.log(v[k])+2*k for k in range(6)];bs=int(np.argmin(aic));print(pa,bs,math.sqrt(v[bs]));ph=np.linalg.solve(toeplitz(ac[:2]),ac[1:3]);a=[y[-2]-m,y[-1]-m]
for h in range(6):a.append(ph[0]*a[-1]+ph[1]*a[-2])
print(m+np.array(a[2:]))
hdr("pca")
i=np.arange(50)[:,None];j=np.arange(4)[None];X=np.sin(.3*i)*(j+1)+.5*np.cos(.9*i+j)+.1*np.sin(7.*i*(j+1));w,v=np.linalg.eigh(np.cov(X.T));w=w[::-1];print(w,w/w.sum(),abs(v[:,-1]))
hdr("markov")
F=dict(zip([3,6,11,15,19,22,26,28],[14,17,22,5,8,27,10,12]));P=np.zeros((30,30))
for s in range(29):
  for d in range(6):
    q=min(s+d+1,29);P[s,F.get(q,q)]+=1/6
P[29,29]=1;a=np.zeros(30);a[0]=1;H=[a]
for t in range(199):a=a@P;H.append(a)
H=np.array(H);dn=H[:,29];en=np.diff(dn);tt=np.arange(1,200);e=(tt*en).sum();print(e,math.sqrt((tt**2*en).sum()-e*e),(dn>=.5).argmax(),(dn>0).argmax(),tt[en.argmax()]);vs=H[:,:29].sum(0);print(vs.argmax(),vs.max())
hdr("lasso")
i=np.arange(40)[:,None];j=np.arange(10)[None];X=np.sin(1.1*i*(j+1))+.3*np.cos(2.3*i+j);tw=np.array([2,0,0,-1.5,0,0,.8,0,0,0.]);y=X@tw+.1*np.sin(17.*np.arange(40))
for pn in(.5,2,8,30):
  w=np.zeros(10);et=.3/40
  for t in range(399):
    u=w-et*X.T@(X@w-y);k=et*pn;w=np.sign(u)*np.maximum(abs(u)-k,0)
  print(pn,(w!=0).sum(),((X@w-y)**2).sum(),abs(w).sum(),w if pn==2 else '')
hdr("climate")
nb=15;s=(2*np.arange(nb)+1)/nb-1;dsn=2/nb
def cl(F):
  T=30-45*s**2
  for t in range(1499):
    fl=.44*(1-((s[:-1]+s[1:])/2)**2)*(T[1:]-T[:-1])/dsn;g=1361/4*(1-.48*(3*s**2-1)/2)*(1-np.where(T<-10,.62,.3))+F
    T=T+.1/7*(g-203.3-2.09*T+(np.r_[fl,0]-np.r_[0,fl])/dsn)
  return T
a,b=cl(0),cl(4);print(a.mean(),a[7],a[0],(a<-10).sum(),b.mean()-a.mean(),(b<-10).sum())
hdr("tomo")
n=8;pic=np.zeros((n,n));pic[2:5,2:6]=1;pic[6]=.5;rows=[]
I,J=np.mgrid[0:n,0:n]
for r in range(n):rows.append((I==r)*1.)
for r in range(n):rows.append((J==r)*1.)
for r in range(2*n-1):rows.append((I+J==r)*1.)
for r in range(2*n-1):rows.append((I-J+n-1==r)*1.)
A=np.array(rows);m=(A*pic).sum((1,2));sz=A.sum((1,2));g=np.zeros((n,n));R=len(A)
for k in range(1,60*R):
  r=(k-1)%R;g=g+(m[r]-(A[r]*g).sum())/sz[r]*A[r]
print(R,np.linalg.norm(g-pic)/np.linalg.norm(pic),abs((A*g).sum((1,2))-m).max(),g[3],g.sum(),pic.sum())
hdr("geodesy")
la=np.radians([59.91,40.42,41.90,52.23,37.98,48.86,53.35,48.21]);lo=np.radians([10.75,-3.70,12.50,21.01,23.73,2.35,-6.26,16.37])
d=2*6371*np.arcsin(np.sqrt(np.sin((la[None]-la[:,None])/2)**2+np.cos(la[:,None])*np.cos(la[None])*np.sin((lo[None]-lo[:,None])/2)**2))
t=[0]
while len(t)<8:t.append(min((i for i in range(8) if i not in t),key=lambda i:d[t[-1],i]))
lg=[d[t[k],t[(k+1)%8]] for k in range(8)];g=max(d[t[i],t[i+1]]+d[t[j],t[j+1]]-d[t[i],t[j]]-d[t[i+1],t[j+1]] for i in range(6) for j in range(i+2,7))
print(t,sum(lg),max(lg),g,np.unravel_index(d.argmax(),(8,8)))
hdr("rsa")
p_,q_,e=1009,2003,65537;n=p_*q_;ph=(p_-1)*(q_-1);dd=pow(e,-1,ph);ms=[72,101,108,108,111,44,32,119,111,114,108,100];print(n,dd,[pow(m,e,n) for m in ms],sum(all(k%d for d in range(2,k)) for k in range(2,1000)))
hdr("elo")
st=lambda r,s:0 if s==0 else 1+(s-1+r)%5
S=[1,.8,1.3,.6,1.1,.9];R=np.full(6,1500.);pt=np.zeros(6)
for r in range(10):
  N=R.copy()
  for g in range(3):
    a,b=st(r,g),st(r,5-g);ed=S[a]-S[b]+.3*((r*7+g*5)%5-2)/2;re=1. if ed>.15 else 0. if ed<-.15 else .5;c=24*(re-1/(1+10**((R[b]-R[a])/400)));N[a]+=c;N[b]-=c;pt[a]+=re;pt[b]+=1-re
  R=N
o=np.argsort(-R);print(R,R.sum(),o,pt,1/(1+10**((R[o[5]]-R[o[0]])/400)))
hdr("annuity")
A,B,c,v=.0005,.00003,1.1,1/1.025;x=np.arange(121);p=np.exp(-(A+B*c**x*(c-1)/math.log(c)));al=1e5*np.r_[1,np.cumprod(p[:-1])];de=al[:-1]-al[1:]
ex=[al[k+1:].sum()/al[k] for k in x];an=[(v**np.arange(121-k)*al[k:]).sum()/al[k] for k in x];ins=[(v**np.arange(1,121-k)*de[k:]).sum()/al[k] for k in range(120)]
pr=ins[40]/an[40];print(ex[0],ex[40],ex[65],an[65],pr,(al<5e4).argmax(),de.argmax(),[ins[40+t]-pr*an[40+t] for t in(10,20,30)])
hdr("mixture")
n=150;i=np.arange(n);x=np.where(i%3==0,4+.8*np.sin(5.3*i),1+1.2*np.sin(2.9*i));w=np.array([.5,.5]);mu=np.array([0,5.]);va=np.ones(2);ll=[]
for t in range(60):
  J=w*np.exp(-(x[:,None]-mu)**2/(2*va))/np.sqrt(2*np.pi*va);ev=J.sum(1);ll.append(np.log(ev).sum());r=J/ev[:,None]
  if t<59:
    T=r.sum(0);w=T/n;mu=(r*x[:,None]).sum(0)/T;va=(r*(x[:,None]-mu)**2).sum(0)/T
print(w,mu,va,ll[0],ll[10],ll[59],((r[:,1]>.5)==(i%3==0)).sum())
hdr("gp")
x=.25*np.arange(25);y=np.sin(1.5*x)+.05*np.sin(40*x);z=.1+.7*np.arange(9);kf=lambda a,b:np.exp(-(a[:,None]-b)**2/(2*.64));K=kf(x,x)+.0025*np.eye(25);Ki=np.linalg.inv(K);C=kf(z,x)
print(C@Ki@y,np.sqrt(1-np.einsum('ij,jk,ik->i',C,Ki,C)),-.5*y@Ki@y-.5*np.linalg.slogdet(K)[1]-12.5*math.log(2*math.pi))
hdr("boost")
n=60;i=np.arange(n);X=np.stack([np.sin(1.7*i),np.cos(2.3*i+.5)],1);y=np.where(X[:,0]+X[:,1]**2>.3,1.,-1.);cut=-.9375+.125*np.arange(15)
says=np.array([[[np.where((X[:,f]>c)==bool(s),1.,-1.) for s in(0,1)] for c in cut] for f in(0,1)]);w=np.full(n,1/n);sc=0;al=[];wr=[]
for r in range(12):
  er=(w*(says!=y)).sum(-1);b=np.unravel_index(er.argmin(),er.shape);e=er[b]
  if r==0:print(b,e)
  a=.5*math.log((1-e)/e);al.append(a);w=w*np.exp(-a*y*says[b]);w/=w.sum();sc=sc+a*says[b];wr.append((sc*y<=0).sum())
print(wr,np.array(al))
hdr("haar")
t=np.arange(64);x=np.sin(2*np.pi*t/32)+np.where((t>=40)&(t<48),1.5,0);c=x.copy();m=64
while m>1:
  a=c[:m].copy();c[:m//2]=(a[0::2]+a[1::2])/math.sqrt(2);c[m//2:m]=(a[0::2]-a[1::2])/math.sqrt(2);m//=2
k=np.where(abs(c)>.35,c,0);b=k.copy();m=1
while m<64:
  a=b[:2*m].copy();b[0:2*m:2]=(a[:m]+a[m:])/math.sqrt(2);b[1:2*m:2]=(a[:m]-a[m:])/math.sqrt(2);m*=2
print((x*x).sum(),(c*c).sum(),(k!=0).sum(),math.sqrt(((x-b)**2).sum()/(x*x).sum()),c.max(),c.argmax(),np.sort(abs(c))[-20:-14])
hdr("dct")
from scipy.fft import dctn,idctn
r,cc=np.mgrid[0:24,0:24];im=128+60*np.exp(-((r-10)**2+(cc-14)**2)/40.)-2*cc+(r*cc)%7;st=4+3.*(np.arange(8)[:,None]+np.arange(8));out=np.zeros((24,24));ze=0
for a in range(3):
  for b in range(3):
    D=dctn(im[8*a:8*a+8,8*b:8*b+8]-128,norm='ortho')/st;Q=np.round(D);ze+=(Q==0).sum();out[8*a:8*a+8,8*b:8*b+8]=idctn(Q*st,norm='ortho')+128
    if a+b==0:print(Q.astype(int))
ms=((im-out)**2).mean();print(ms,10*math.log10(255**2/ms),ze)
hdr("cn")
n=41;h=1/40;dt=.005;r=dt/(2*h*h);X=np.arange(n)*h;u=np.sin(np.pi*X)+.5*np.sin(3*np.pi*X);H=[h*u.sum()]
T=np.diag(np.full(39,1+2*r))-r*(np.eye(39,k=1)+np.eye(39,k=-1))
for s in range(40):
  d_=r*u[:-2]+(1-2*r)*u[1:-1]+r*u[2:];u=np.r_[0,np.linalg.solve(T,d_),0];H.append(h*u.sum())
ex=np.exp(-np.pi**2*.2)*np.sin(np.pi*X)+.5*np.exp(-9*np.pi**2*.2)*np.sin(3*np.pi*X);print(u[20],ex[20],abs(u-ex).max(),H[0],H[10],H[40])
hdr("shallow")
g,dx,dt,n=9.81,.5,.04,200;hh=np.where(np.arange(n)<100,2.,1.);q=np.zeros(n)
for s in range(149):
  f=q*q/hh+g*hh*hh/2;H2=hh.copy();Q2=q.copy();H2[1:-1]=(hh[:-2]+hh[2:])/2-dt/(2*dx)*(q[2:]-q[:-2]);Q2[1:-1]=(q[:-2]+q[2:])/2-dt/(2*dx)*(f[2:]-f[:-2])
  H2[0],Q2[0],H2[-1],Q2[-1]=hh[1],-q[1],hh[-2],-q[-2];hh,q=H2,Q2
print((abs(q/hh)+np.sqrt(g*hh)).max()*dt/dx,np.flatnonzero(hh>1.1).max()*dx,hh[100],(q/hh)[100],dx*hh.sum(),hh.min(),hh.max())
hdr("hopfield")
P=[[1 if ch=='#' else -1 for ch in (tx+'#')[:25]] for tx in("#...##...######...##...#",".###.#...#.....#...#.###.","..#....#..#####..#....#..")];M=np.array(P);W=M.T@M;np.fill_diagonal(W,0);s=np.where(np.arange(25)%4==1,-M[2],M[2]);L=[s.copy()]
for t in range(5):
  s=s.copy()
  for i in range(25):
    f=W[i]@s
    if f!=0:s[i]=1 if f>0 else -1
  L.append(s.copy())
print([int(-l@W@l) for l in L],[list(map(int,M@l)) for l in L],''.join('#' if v==1 else '.' for v in L[0][10:15]),''.join('#' if v==1 else '.' for v in L[-1][10:15]))
hdr("optics")
sc=.0005*(np.arange(401)-200);s=sc/np.sqrt(sc**2+1);wl=.5e-6;fa=np.sinc(4e-6*s/wl)**2*np.cos(np.pi*20e-6*s/wl)**2;mm=np.arange(80);pl=np.where(mm<40,-1e-5,1e-5)+4e-6*((mm%40+.5)/40-.5);pa=np.sqrt(1+(sc[:,None]-pl)**2)-1
wa=abs(np.exp(2j*np.pi*pa/wl).sum(1))**2/6400;br=[k for k in range(1,400) if fa[k]>fa[k-1] and fa[k]>fa[k+1] and fa[k]>.01];print(len(br),(sc[br[-1]]-sc[br[0]])/(len(br)-1)*1000,abs(fa-wa).max(),.0005*fa.sum(),wa[200])
hdr("inventory")
D=365;no=[(d*d*31+d*17+11)%97 for d in range(D)];de=[4+no[d]%9+(6 if d%7==5 else 0) for d in range(D)]
def yr(lo_,hi_):
  s=[hi_];o=[0];co=0
  for d in range(1,D):
    ar=o[d-3] if d>3 else 0;pp=sum(o[d-k] if d-k>0 else 0 for k in(1,2));s.append(max(s[-1],0)+ar-de[d]);o.append(hi_-max(s[d],0)-pp if s[d]+pp<lo_ else 0);co+=(.1*s[d] if s[d]>0 else -2.*s[d])+(15 if o[d]>0 else 0)
  return co,sum(q<0 for q in s[1:]),sum(q>0 for q in o[1:])
print([[round(yr(a,b)[0],2) for b in(60,90,120)] for a in(20,30,40,50)],yr(30,90),sum(de),max(de))
hdr("percolation")
n=24;G=np.array([[(((a:=(i*7919+j*10473+1299)%65536)*a//7+13*a)%65536)/65536 for j in range(n)] for i in range(n)])
from scipy.ndimage import label as lab_
rs=[]
for p in(.4,.5,.55,.6,.65,.7,.8):
  op=G<p;l,_=lab_(op);top=set(l[0])-{0};we=np.isin(l,list(top));rs.append((bool(we[-1].any()),int(we.sum()),int(op.sum())))
print(rs)
hdr("shooting")
def shoot(s):
  y,z=1.,s;h=.01;f=lambda x,y,z:(z,6*y*y-x);mid=None
  for k in range(1,101):
    x=h*(k-1);a=f(x,y,z);b=f(x+h/2,y+h/2*a[0],z+h/2*a[1]);c=f(x+h/2,y+h/2*b[0],z+h/2*b[1]);d=f(x+h,y+h*c[0],z+h*c[1]);y,z=y+h/6*(a[0]+2*b[0]+2*c[0]+d[0]),z+h/6*(a[1]+2*b[1]+2*c[1]+d[1])
    if k==50:mid=y
  return y,mid
a,b=-2.,-1.5
for k in range(8):
  fa_,fb=shoot(a)[0]-.3,shoot(b)[0]-.3
  if fa_==fb:break
  a,b=b,b-fb*(b-a)/(fb-fa_)
print(b,shoot(b),[shoot(-2+.25*k)[0] for k in range(4)])
hdr("voting")
bl=[[0,2,1,3],[0,2,3,1],[1,2,0,3],[3,2,1,0],[2,1,3,0]];vo=[42,5,26,15,17];pf=np.zeros((4,4),int)
for b_,v_ in zip(bl,vo):
  for i in range(4):
    for j in range(i+1,4):pf[b_[i],b_[j]]+=v_
pl_=[sum(v for b,v in zip(bl,vo) if b[0]==c) for c in range(4)];bo=[sum(v*(3-b.index(c)) for b,v in zip(bl,vo)) for c in range(4)];go=[]
for r in range(3):
  ta={c:0 for c in range(4) if c not in go}
  for b,v in zip(bl,vo):ta[next(c for c in b if c not in go)]+=v
  go.append(min(ta,key=lambda c:(ta[c],c)))
print(pl_,bo,pf,go)
hdr("saw")
def wk(p,been,k):
  if k==0:return 1
  return sum(wk(q,been|{q},k-1) for d in((1,0),(0,1),(-1,0),(0,-1)) if (q:=(p[0]+d[0],p[1]+d[1])) not in been)
cs=[wk((0,0),{(0,0)},k) for k in range(1,7)];print(cs,[cs[k+1]/cs[k] for k in range(5)],(math.comb(8,4)/2**8)**2)
hdr("ising")
E_=[];Mg=[]
for s in range(512):
  sp=[2*(s>>k&1)-1 for k in range(9)];E_.append(-sum(sp[k]*(sp[k//3*3+(k+1)%3]+sp[(k+3)%9]) for k in range(9)));Mg.append(sum(sp))
E_=np.array(E_);Mg=np.array(Mg);T=1+.5*np.arange(8);W=np.exp(-E_/T[:,None]-18/T[:,None]);Z=W.sum(1);U=(W*E_).sum(1)/Z;C=((W*E_**2).sum(1)/Z-U**2)/T**2;f=np.ones(8)
for k in range(199):f=np.tanh(4*f/T)
print(E_.min(),E_.max(),(E_==-18).sum(),U/9,C,T[C.argmax()],(W*abs(Mg)).sum(1)/Z/9,f,(-T*np.log(Z)-18)[0])
hdr("resample")
n=400;x=np.sin(2*np.pi*1000*np.arange(n)/44100);k=np.arange(300);at=(40+k)*44100/48000;ba=at.astype(int);re=at-ba;y=np.zeros(300)
for j in range(32):
  v=re-(j-15);y+=x[ba+j-15]*np.sinc(v)*np.where(abs(v)>16,0,.5+.5*np.cos(np.pi*v/16))
id_=np.sin(2*np.pi*1000*(40+k)/48000);ns=math.sqrt(((y-id_)**2).mean());lv=math.sqrt((id_**2).mean());cr=(y[:-1]*y[1:]<0).sum();print(lv,ns,20*math.log10(lv/ns),cr,cr/2/299*48000,y[:6], abs(y).min())
