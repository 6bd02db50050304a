"""What the second eighty programs of this folder should print, by NumPy and SciPy: python3 reference_second.py [NAME]."""
import math, sys
import numpy as np
from scipy.linalg import solve_banded
P = {}
def of(f): P[f.__name__] = f; return f
def show(*a):
    print(*[np.array2string(x, precision=17, threshold=10**6, max_line_width=10**6) if isinstance(x, np.ndarray) else x for x in a])

@of
def ode_lorenz():
    def f(u): return np.array([10*(u[1]-u[0]), u[0]*(28-u[2])-u[1], u[0]*u[1]-8/3*u[2]])
    def solve(u):
        out=[u]
        for _ in range(2000):
            k1=f(u);k2=f(u+.005*k1);k3=f(u+.005*k2);k4=f(u+.01*k3);u=u+.01/6*(k1+2*k2+2*k3+k4);out.append(u)
        return np.array(out)
    a=solve(np.array([1.,1,1]));b=solve(np.array([1.,1,1+1e-9]));d=np.sqrt(((a-b)**2).sum(1))
    show("5",a[500]);show("10",a[1000]);show(1e-6, 300,"growth",d[1000]/d[0])
@of
def pde_advection():
    n=60;dx=1/60;x=dx*np.arange(n);u0=np.exp(-((x-.5)/.1)**2);up=u0.copy();lw=u0.copy();c=.5
    for _ in range(120):
        up=up-c*(up-np.roll(up,1));l,r=np.roll(lw,1),np.roll(lw,-1);lw=lw-c/2*(r-l)+c*c/2*(r-2*lw+l)
    l2=lambda a:np.sqrt(((a-u0)**2).sum()/n)
    show(up.sum(),lw.sum(),u0.sum());show(l2(up),l2(lw));show(up.max(),lw.max());show(up.min(),lw.min())
@of
def pde_crank_nicolson():
    n,h,dt=49,.02,.001;r=dt/h/h;u=np.sin(np.pi*h*np.arange(1,n+1));ab=np.zeros((3,n));ab[0,1:]=-r/2;ab[1]=1+r;ab[2,:-1]=-r/2
    for _ in range(100):
        p=np.pad(u,1);u=solve_banded((1,1),ab,r/2*p[:-2]+(1-r)*u+r/2*p[2:])
    ex=np.exp(-np.pi**2*.1)*np.sin(np.pi*h*np.arange(1,n+1))
    show(u[24],ex[24]);show(abs(u-ex).max())
@of
def pde_gray_scott():
    n=40;ins=np.zeros((n,n),bool);ins[15:25,15:25]=1;u=np.where(ins,.5,1.);v=np.where(ins,.25,0.)
    L=lambda a:sum(np.roll(a,s,k) for s in(1,-1) for k in(0,1))-4*a
    for _ in range(200):
        u,v=u+.16*L(u)-u*v*v+.035*(1-u),v+.08*L(v)+u*v*v-.1*v
    show(u.mean(),v.mean());show(v[20,20],v.max());c=(v>.1).sum();show(c,1600,100*c/1600)
@of
def pde_maxwell():
    N=200;eps=np.where(np.arange(N)>=120,4.,1.);E=np.zeros(N);H=np.zeros(N)
    for t in range(1,221):
        Hn=np.zeros(N);Hn[:-1]=H[:-1]+.5*(E[1:]-E[:-1]);En=np.zeros(N)
        En[1:-1]=E[1:-1]+.5/eps[1:-1]*(Hn[1:-1]-Hn[:-2]);En[60]+=np.exp(-((t-40)/12)**2);E,H=En,Hn
    show(E.max(),E.argmax(),E.min(),E.argmin());show((eps*E*E+H*H).sum()/2);show(-1/3,2/3)
@of
def image_blur_resize():
    h,w=24,32;y,x=np.mgrid[:h,:w];img=128+60*np.sin(x/3)*np.cos(y/4)+np.where((x//8+y//8)%2==0,30,0)
    k=np.exp(-(np.arange(-4,5)**2)/(2*1.5**2));k/=k.sum();cl=lambda a,hi:np.clip(a,0,hi)
    rows=sum(k[i]*img[:,cl(np.arange(w)+i-4,w-1)] for i in range(9));B=sum(k[i]*rows[cl(np.arange(h)+i-4,h-1)] for i in range(9))
    Hh,W=36,20;fy=(np.arange(Hh)+.5)*h/Hh-.5;fx=(np.arange(W)+.5)*w/W-.5;y0=np.floor(fy);x0=np.floor(fx);ay=(fy-y0)[:,None];ax=fx-x0
    ya=cl(y0.astype(int),h-1);yb=cl(y0.astype(int)+1,h-1);xa=cl(x0.astype(int),w-1);xb=cl(x0.astype(int)+1,w-1)
    S=(1-ay)*((1-ax)*B[ya][:,xa]+ax*B[ya][:,xb])+ay*((1-ax)*B[yb][:,xa]+ax*B[yb][:,xb])
    show(24,32,36,20);show(img.mean(),B.mean(),S.mean());show(S[0,0],S[17,9],S[-1,-1])
@of
def image_histogram_equalise():
    i,j=np.mgrid[:30,:40];img=60+((i*i+3*j+i*j)%97)//2;hist=np.bincount(img.ravel(),minlength=256);cdf=hist.cumsum();used=np.flatnonzero(hist);cm=cdf[used[0]]
    lut=np.trunc((cdf-cm)/(1200-cm)*255+.5).astype(int);out=lut[img]
    show(img.min(),img.max(),out.min(),out.max());show(img.mean(),out.mean(),img.std(),out.std());show(out[0,0],out[10,20],out[29,39],len(used))
@of
def image_components():
    from scipy.ndimage import label
    h,w=16,20;i,j=np.mgrid[:h,:w];m=((i*7+j*3)%11<6)&((i//3+j//4)%3!=1);L,k=label(m);roots=[np.flatnonzero((L==c).ravel())[0] for c in range(1,k+1)]
    order=np.argsort(roots);size=np.array([(L==c+1).sum() for c in order]);roots=np.sort(roots);b=size.argmax()
    lab=np.where(m,i*w+j,100000);rounds=0
    while True:
        p=np.pad(lab,1,constant_values=100000);new=np.where(m,np.minimum.reduce([lab,p[:-2,1:-1],p[2:,1:-1],p[1:-1,:-2],p[1:-1,2:]]),100000)
        if (new==lab).all(): break
        lab=new;rounds+=1
    show(k,m.sum());show(size);show(size[b],roots[b]//w,roots[b]%w);show(rounds)
@of
def image_hough():
    st=np.pi/90;x=np.arange(40);rnd=lambda v:np.round(v);X=np.r_[x*1.,(np.arange(25)*37%64)*1.];Y=np.r_[rnd((30-x*np.cos(.6))/np.sin(.6)),(np.arange(25)*53%64)*1.]
    V=np.zeros((182,90),int)
    for a in range(90):
        for b in (rnd(X*np.cos(a*st)+Y*np.sin(a*st)).astype(int)+91):
            if 0<=b<182: V[b,a]+=1
    r,a=np.unravel_index(V.argmax(),V.shape);show(len(X),r-91,a*st,V[r,a]);show(V.mean())
@of
def stats_pca():
    t=.1*np.arange(60);X=np.c_[np.sin(t)+.1*np.cos(7*t),2*np.sin(t)-.2*np.cos(3*t),np.cos(t),.5*t];C=np.cov(X.T);w,_=np.linalg.eigh(C)
    show(X.mean(0));show(w);show(w[-1],1.0);show(w[::-1]/w.sum())
@of
def stats_mixture_em():
    x=np.array([-2.1,-1.9,-2.4,-1.5,-2.2,3,2.7,3.3,2.9,3.1,3.6,2.5])[:,None];mu,sd,w=np.array([-1.,1]),np.ones(2),np.ones(2)/2;ll=[]
    for k in range(50):
        d=w*np.exp(-((x-mu)/sd)**2/2)/(sd*np.sqrt(2*np.pi));ll.append(np.log(d.sum(1)).sum());
        if k==49: break
        r=d/d.sum(1,keepdims=True);W=r.sum(0);mu=(r*x).sum(0)/W;sd=np.sqrt((r*(x-mu)**2).sum(0)/W);w=W/12
    show(mu);show(sd);show(w);show(ll[0],ll[-1])
@of
def stats_kaplan_meier():
    T=np.array([6,6,6,7,10,13,16,22,23,6,9,10,11,17,19,20,25,32,32,34,35.]);e=np.arange(21)<9;S=1.;g=0
    for t in np.unique(T[e]):
        r=(T>=t).sum();d=((T==t)&e).sum();S*=1-d/r;g+=d/(r*(r-d));show(t,r,d,S,S*g**.5)
    s=[.9,.8,.7,.6,.55,.54,.53,.52,.51,.505];l=[1,1,0,1,1,1,0,0,1,0]
    show(sum(s[i]>s[j] for i in range(10) for j in range(10) if l[i] and not l[j])/24)
@of
def stats_ridge_cv():
    x=.1*np.arange(30)-1.5;y=np.sin(2*x)+.1*np.sin(37*x);X=x[:,None]**np.arange(5);lam=[1e-4,1e-3,1e-2,.1,1,10];sc=[]
    for l in lam:
        err=[]
        for i in range(30):
            k=np.arange(30)!=i;b=np.linalg.solve(X[k].T@X[k]+l*np.eye(5),X[k].T@y[k]);err.append((y[i]-X[i]@b)**2)
        sc.append(np.mean(err))
    b=int(np.argmin(sc));show(np.array(sc));show(10,int(np.log10(lam[b])));show(np.linalg.solve(X.T@X+lam[b]*np.eye(5),X.T@y))
@of
def ml_softmax_digits():
    i=np.arange(60);r=1+i%3;x,y=r*np.cos(.7*i),r*np.sin(.7*i);phi=np.c_[np.ones(60),x,y,(x*x+y*y)/9];W=np.zeros((4,3));T=np.eye(3)[i%3];L=[]
    for _ in range(300):
        z=phi@W;p=np.exp(z-z.max(1,keepdims=True));p/=p.sum(1,keepdims=True);L.append(-np.log(p[i,i%3]).mean());W=W-.5*phi.T@(p-T)/60
    show(L[0],L[-1],(np.argmax(phi@W,1)==i%3).mean());show(W)
@of
def ml_cnn_train():
    n,s=16,8;img=np.zeros((n,s,s))
    for b in range(n):
        if b%2==0: img[b,b//2%s,:]=1
        else: img[b,:,b//2%s]=1
    y=(np.arange(n)%2).astype(float);f,u,v=np.mgrid[:2,:3,:3];k=.3*((f*5+u*3+v*2)%7-3)/3.;w=.5-np.arange(2.);b0=0.;loss=[]
    win=np.lib.stride_tricks.sliding_window_view(img,(3,3),axis=(1,2))
    def fwd(k,w,b0):
        c=np.tanh(np.einsum('bijuv,fuv->bfij',win,k));return c,(c**2).mean((2,3)),b0
    for _ in range(150):
        c,pl,_b=fwd(k,w,b0);z=b0+pl@w;loss.append((np.log1p(np.exp(-z))+(1-y)*z).mean());dz=(1/(1+np.exp(-z))-y)/n
        dc=2*c/36*(1-c*c)*(dz[:,None]*w)[:,:,None,None];gk=np.einsum('bfij,bijuv->fuv',dc,win)
        k,w,b0=k-.5*gk,w-.5*pl.T@dz,b0-.5*dz.sum()
    c,pl,_b=fwd(k,w,b0);z=b0+pl@w;show(loss[0],loss[-1]);show(((z>0)==(y>.5)).sum(),n)
@of
def ml_attention():
    T,d=6,4;t,k=np.mgrid[:T,:d];x=np.sin(.3*t+k);i,j=np.mgrid[:d,:d];Wq=np.cos(i+2.*j)/2;Wk=np.sin(i-1.*j)/2;Wv=np.where(i==j,1.,.1)
    def run(Wv):
        q,kk,v=x@Wq,x@Wk,x@Wv;l=np.where(np.tril(np.ones((T,T)))>0,q@kk.T/2,-1e30);a=np.exp(l-l.max(1,keepdims=True));a/=a.sum(1,keepdims=True);return a,a@v
    a,y=run(Wv);show(a);show(y[-1]);g=2*(a@x).T@(a@(x@Wv));show(g[0])
@of
def ml_naive_bayes():
    sp="win money now,cheap money offer,win a cheap prize now,offer prize money".split(",");ha="meeting at noon,lunch offer at noon,see you at the meeting,money for lunch".split(",");te="win prize money,meeting for lunch,cheap lunch offer now".split(",")
    S=" ".join(sp).split();H=" ".join(ha).split();V=len(set(S+H));lp=lambda w,W:math.log((W.count(w)+1)/(len(W)+V));sc=lambda t,W:sum(lp(w,W) for w in t.split())+math.log(.5)
    show(V,len(S),len(H));show(np.array([sc(t,S)-sc(t,H) for t in te]))
@of
def dp_matrix_chain():
    d=[30,35,15,5,10,20,25];n=6;c=np.zeros((n,n),int);s=np.zeros((n,n),int)
    for L in range(1,n):
        for i in range(n-L):
            j=i+L;o=[c[i,k]+c[k+1,j]+d[i]*d[k+1]*d[j+1] for k in range(i,j)];c[i,j]=min(o);s[i,j]=i+o.index(min(o))
    show(c[0,5]);f=lambda i,j:f"A{i}" if i==j else "("+f(i,s[i,j])+f(s[i,j]+1,j)+")";show(f(0,5));show(c);nv=sum(d[0]*d[k]*d[k+1] for k in range(1,n));show(nv,100*(1-c[0,5]/nv))
@of
def dp_coins():
    C=[1,5,10,25,50];w=[1]+[0]*100
    for c in C:
        for a in range(c,101): w[a]+=w[a-c]
    f=[0]
    for a in range(1,101): f.append(1+min(f[a-c] for c in C if c<=a))
    ch=lambda a:min(range(5),key=lambda k:(f[a-C[k]] if C[k]<=a else 10**6,k));a=94;g=[]
    while a: c=C[ch(a)];g.append(c);a-=c
    show(w[100]);show(94,f[94],np.array(g));show(f[41],max(f),int(np.argmax(f)))
@of
def dp_lis():
    a=[10,22,9,33,21,50,41,60,80,3];b=[]
    for i in range(10): b.append(1+max([0]+[b[j] for j in range(i) if a[j]<a[i]]))
    show(max(b),np.array(b));s,t="AGGTABCDEF","GXTXAYBEFG";L=np.zeros((11,11),int)
    for i in range(1,11):
        for j in range(1,11): L[i,j]=L[i-1,j-1]+1 if s[i-1]==t[j-1] else max(L[i-1,j],L[i,j-1])
    show(L[10,10]);p=[1,5,8,9,10,17,17,20,24,30];r=[0]
    for k in range(1,11): r.append(max(p[c-1]+r[k-c] for c in range(1,k+1)))
    show(np.array(r))
@of
def dp_viterbi():
    s=np.array([.6,.4]);A=np.array([[.7,.3],[.4,.6]]);B=np.array([[.5,.4,.1],[.1,.3,.6]]);o=[0,1,2,2,1,0,0,2];import itertools
    best=max(itertools.product([0,1],repeat=8),key=lambda p:math.log(s[p[0]])+sum(math.log(B[p[t],o[t]]) for t in range(8))+sum(math.log(A[p[t-1],p[t]]) for t in range(1,8)))
    lp=math.log(s[best[0]])+sum(math.log(B[best[t],o[t]]) for t in range(8))+sum(math.log(A[best[t-1],best[t]]) for t in range(1,8));al=s*B[:,0]
    for t in range(1,8): al=(al@A)*B[:,o[t]]
    show(lp,math.log(al.sum()));show(np.array(best))
@of
def dp_dtw():
    a=np.sin(.15*np.arange(40));b=np.sin(.12*np.arange(50)+.3);c=abs(a[:,None]-b);D=np.full((41,51),np.inf);D[0,0]=0
    for i in range(40):
        for j in range(50): D[i+1,j+1]=c[i,j]+min(D[i,j],D[i,j+1],D[i+1,j])
    show(D[40,50],sum(c[i,i] for i in range(40)));p=[.15,.1,.05,.1,.2];q=[.05,.1,.05,.05,.05,.1];w=np.zeros((6,6));e=np.zeros((6,6))
    for i in range(6): w[i,i]=e[i,i]=q[i]
    for L in range(1,6):
        for i in range(6-L):
            j=i+L;w[i,j]=w[i,j-1]+p[j-1]+q[j];e[i,j]=min(e[i,r-1]+e[r,j] for r in range(i+1,j+1))+w[i,j]
    show(e[0,5]);f=lambda t:t+t*(t-1)//2;show(next(t for t in range(30) if f(t)>=100))
def put(S,am,n=200,K=100,r=.05,v=.2,T=1.):
    dt=T/n;u=math.exp(v*dt**.5);d=1/u;p=(math.exp(r*dt)-d)/(u-d);q=math.exp(-r*dt);V=np.maximum(K-S*u**(2.*np.arange(n+1)-n),0)
    for t in range(n-1,-1,-1):
        V=q*(p*V[1:]+(1-p)*V[:-1])
        if am: V=np.maximum(V,K-S*u**(2.*np.arange(t+1)-t))
    return V[0]
@of
def finance_american_put():
    a,e=put(100.,1),put(100.,0);show(a,e,a-e);show((put(100,1)-put(100-1e-5,1))/1e-5);show(np.array([put(80.+10*k,1) for k in range(5)]))
@of
def finance_yield_curve():
    par=[.02,.022,.0235,.025,.026,.0268,.0275,.028,.0284,.0287];df=[]
    for c in par: df.append((1-c*sum(df))/(1+c))
    df=np.array(df);t=np.arange(1,11);show(df);show(-np.log(df)/t);show(np.r_[1,df[:-1]]/df-1);s=np.arange(1,8);pr=lambda y:4*np.exp(-y*s).sum()+100*np.exp(-7*y)
    D=(4*s*np.exp(-.03*s)).sum()+700*np.exp(-.21);C=(4*s*s*np.exp(-.03*s)).sum()+4900*np.exp(-.21);Q=pr(.03);show(Q,D/Q,C/Q);show(100,pr(.04),Q-D*.01+C*.01**2/2)
@of
def finance_implied_vol():
    from scipy.stats import norm
    K=np.arange(70.,131,10);v=.2+.0001*(K-100)**2/10-.001*(K-100)/10
    sm=lambda K:.2+.0001*(K-100)**2/10-.001*(K-100)/10
    v=sm(K);d1=(np.log(100/K)+(.02+v*v/2)*.5)/(v*.5**.5);show(100*norm.cdf(d1)-K*math.exp(-.01)*norm.cdf(d1-v*.5**.5));show(v);show(1e-9)
@of
def finance_garch():
    t=np.arange(120);r=.01*np.sin(1.7*t)*(1+.8*np.sin(.05*t))+.002*np.sin(13.1*t);lg=lambda x:1/(1+np.exp(-x))
    def nll(th):
        o,a,b=np.exp(th[0]),lg(th[1])*.5,lg(th[2]);s=[(r**2).mean()]
        for k in range(1,120): s.append(o+a*r[k-1]**2+b*s[-1])
        s=np.array(s);return (np.log(2*np.pi)+np.log(s)+r**2/s).sum()/240
    th=np.array([-11.,-1,1]);F=[]
    def grad(th):
        g=np.zeros(3)
        for k in range(3):
            e=np.zeros(3);e[k]=1e-4;g[k]=(8*(nll(th+e)-nll(th-e))-(nll(th+2*e)-nll(th-2*e)))/(12e-4)
        return g
    for _ in range(60): F.append(nll(th));th=th-.5*grad(th)
    show(F[0],F[-1]);show(np.exp(th[0]),.5*lg(th[1]),lg(th[2]))
@of
def finance_backtest():
    t=np.arange(250);p=100*np.exp(.0008*t+.06*np.sin(t/11)+.02*np.sin(t/3.7));sma=lambda w:np.array([p[k-w+1:k+1].mean() if k>=w-1 else 0 for k in t]);pos=((t>=29)&(sma(10)>sma(30)))*1.
    r=np.r_[0,pos[:-1]*(p[1:]/p[:-1]-1)];eq=np.cumprod(1+r);pk=np.maximum.accumulate(eq);m=r[1:].mean();s=r[1:].std();show((pos[1:]!=pos[:-1]).sum(),eq[-1],p[-1]/p[0]);show(100*(1-eq/pk).max(),m/s*252**.5)
@of
def graph_bfs():
    R=["S.#.....","..#.##..",".##.#...","....#.#.",".##...#E"];import collections;d={(0,0):0};q=collections.deque(d)
    while q:
        i,j=q.popleft()
        for a,b in((i+1,j),(i-1,j),(i,j+1),(i,j-1)):
            if 0<=a<5 and 0<=b<8 and R[a][b]!="#" and (a,b) not in d: d[a,b]=d[i,j]+1;q.append((a,b))
    show(d[4,7]);show(len(d),sum(c!="#" for r in R for c in r));m=max(d.values());show(m);show(np.bincount(list(d.values())))
@of
def graph_dijkstra():
    E=[(0,1,4.),(0,2,1.),(2,1,2.),(1,3,5.),(2,3,8.),(3,4,3.),(4,5,1.),(2,6,10.),(6,5,2.),(5,7,6.),(4,7,9.)];d=np.full(8,1e18);d[0]=0;done=np.zeros(8,bool);o=[]
    for _ in range(8):
        k=np.argmin(np.where(done,2e18,d));o.append(k);done[k]=1
        for a,b,c in E:
            if a==k: d[b]=min(d[b],d[k]+c)
    show(d);show(np.array(o));pr=lambda i:[0] if i==0 else pr(next(a for a,b,c in E if b==i and d[a]+c==d[i]))+[i];show(7,np.array(pr(7)))
@of
def graph_spanning_tree():
    from scipy.sparse.csgraph import minimum_spanning_tree as mst
    i=np.arange(20);x,y=10*np.sin(1.3*i),10*np.cos(2.1*i);D=np.hypot(x[:,None]-x,y[:,None]-y);M=mst(D).toarray();show(M.sum());a,b=np.nonzero(M);deg=np.bincount(np.r_[a,b]);show((deg==1).sum(),deg.max());k=M[a,b].argmax();show(max(a[k],b[k]),min(a[k],b[k]),M.max())
@of
def graph_triangles():
    E=[[0,1],[0,2],[1,2],[2,3],[3,4],[4,5],[3,5],[6,7],[7,8],[6,8],[8,9],[0,3],[1,3]];A=np.zeros((12,12),int)
    for a,b in E: A[a,b]=A[b,a]=1
    d=A.sum(1);A3=np.diag(A@A@A);show(d);show(A3.sum()//6);c=np.where(d>1,A3/np.maximum(d*(d-1),1),0);show(c,c.mean())
    from scipy.sparse.csgraph import connected_components as cc
    k,l=cc(A);f=[np.flatnonzero(l==q)[0] for q in range(k)];show(np.array(f),np.bincount(l));al=np.ones(12,bool)
    for _ in range(12): al=al&((A*al).sum(1)>=2)
    show(2,np.flatnonzero(al))
@of
def graph_topological():
    d=[5,3,8,4,6,1];p=[[],[0],[0],[1,2],[2],[3,4]];s=[]
    for i in range(6): s.append(max([0]+[s[j]+d[j] for j in p[i]]))
    T=max(s[i]+d[i] for i in range(6));l=[0]*6
    for i in range(5,-1,-1): l[i]=min([T]+[l[j] for j in range(6) if i in p[j]])-d[i]
    show(T);show(np.array([[s[i],l[i]-s[i]] for i in range(6)]))
@of
def signal_fir_design():
    k=np.arange(51)-25;w=np.hamming(51);b=.2*np.sinc(.2*k)*w;b/=b.sum();g=lambda f:20*np.log10(abs((b*np.exp(-2j*np.pi*f/1000*np.arange(51))).sum()));show(np.array([g(f) for f in(10.,50,100,150,200,400)]))
    t=np.arange(400);want=np.sin(2*np.pi*30*t/1000);x=want+np.sin(2*np.pi*300*t/1000);y=np.convolve(x,b,"same");rm=lambda a:np.sqrt(((a-want)[60:340]**2).mean());show(rm(x),rm(y));show(1.0)
@of
def signal_spectrogram():
    t=np.arange(1024)/1000;x=np.sin(2*np.pi*(50*t+100*t*t));w=.5*(1-np.cos(2*np.pi*np.arange(128)/128));s=np.array([x[m*64:m*64+128]*w for m in range(15)]);P=abs(np.fft.rfft(s))**2;hz=P.argmax(1)*1000/128;show(15,65);show(hz);tr=50+200*(np.arange(15)*64+64)/1000;show(abs(hz-tr).max());e=(s[3]**2).sum();show(e,e)
@of
def signal_lms():
    u=np.array([.5,-.3,.2,.1]);t=np.arange(2000);x=np.sin(1.1*t)+.7*np.sin(2.7*t+1)+.3*np.sin(.37*t);w=np.zeros(4);e=[]
    for k in t:
        v=np.array([x[k-j] if k>=j else 0 for j in range(4)]);e.append(u@v-w@v);w=w+.05*e[-1]*v
    show(w);show(0,4) if 0 else None;show(np.array(e[:4]));show(1e-6);show(np.argmax(np.abs(e)))
@of
def signal_savgol():
    t=.1*np.arange(60);y=np.sin(t)+.02*np.sin(40*t);J=(np.arange(7)[:,None]-3.)**np.arange(3);C=np.linalg.pinv(J);show(C[0]);show(C[1]);i=np.arange(3,57);W=np.array([y[k-3:k+4] for k in i]);show(abs(y-np.sin(t))[3:57].max(),abs(W@C[0]-np.sin(t[i])).max(),abs(W@C[1]/.1-np.cos(t[i])).max())
@of
def signal_biquad():
    from scipy.signal import lfilter
    def lp(fc,q):
        K=np.tan(np.pi*fc);n=1/(1+K/q+K*K);return [K*K*n,2*K*K*n,K*K*n],[1,2*(K*K-1)*n,(1-K/q+K*K)*n]
    a,b=lp(.1,.5411961),lp(.1,1.306563);im=np.zeros(200);im[0]=1;run=lambda x:lfilter(*b,lfilter(*a,x));h=run(im)
    # the first two samples of the program leave out what lies before the signal, as lfilter does
    show(np.array([abs((h*np.exp(-2j*np.pi*.05*k*np.arange(200))).sum()) for k in range(5)]));s=run(np.ones(200));show(s[-1],s.max()-1,s.argmax())
def lj(x):
    d=x[:,None]-x;d-=6*np.round(d/6);r2=(d**2).sum(2)+np.eye(16);f=24*(2/r2**7-1/r2**4);np.fill_diagonal(f,0);u=4*(1/r2**6-1/r2**3);np.fill_diagonal(u,0);return (f[:,:,None]*d).sum(1),u.sum()/2
@of
def physics_lennard_jones():
    i=np.arange(16);x=np.c_[(i%4)*1.5+.05*np.sin(3.*i),(i//4)*1.5+.05*np.sin(5.*i+1)];v=np.zeros((16,2));F,U=lj(x);E0=U
    for _ in range(200):
        x=x+.002*v+.002**2/2*F;G,U=lj(x);v=v+.001*(F+G);F=G
    K=(v**2).sum()/2;show(E0,K+U);show(K,U)
@of
def physics_double_pendulum():
    g,m1,m2,l1,l2,h=9.81,1.,.5,1.,.8,.005
    def f(s):
        a,b,wa,wb=s;d=a-b;den=2*m1+m2-m2*np.cos(2*d)
        return np.array([wa,wb,(-g*(2*m1+m2)*np.sin(a)-m2*g*np.sin(a-2*b)-2*np.sin(d)*m2*(wb**2*l2+wa**2*l1*np.cos(d)))/(l1*den),2*np.sin(d)*(wa**2*l1*(m1+m2)+g*(m1+m2)*np.cos(a)+wb**2*l2*m2*np.cos(d))/(l2*den)])
    s=np.array([np.pi/2,np.pi/3,0,0]);S=[s]
    for _ in range(1000):
        k1=f(s);k2=f(s+h/2*k1);k3=f(s+h/2*k2);k4=f(s+h*k3);s=s+h/6*(k1+2*k2+2*k3+k4);S.append(s)
    S=np.array(S);show(1,S[200]);show(-m2*g*l2*.5-(m1+m2)*g*l1*np.cos(np.pi/2),1e-4);show((S[1:,2]*S[:-1,2]<0).sum())
@of
def physics_boris():
    E,B,h=np.array([0,.1,0]),np.array([0,0,1.]),.05;v=np.array([1,0,.2]);r=np.zeros(3)
    for _ in range(1999):
        m=v+E*h/2;t=B*h/2;s=t*2/(1+t@t);v=m+np.cross(m+np.cross(m,t),s)+E*h/2;r=r+v*h
    show(r[0],r[1],r[2]);show(r[0]/(h*1999),.1);show(v@v)
@of
def physics_schroedinger():
    n,h=60,.2;x=h*(np.arange(n)-29.5);H=np.diag(1/h**2+x*x/2)-np.diag(np.full(n-1,1/(2*h*h)),1)-np.diag(np.full(n-1,1/(2*h*h)),-1);w,v=np.linalg.eigh(H);show(w[:5]);show(1.0,2,(x*x*v[:,0]**2).sum());show(np.arange(5))
@of
def physics_lattice_boltzmann():
    cx=[0,1,0,-1,0,1,-1,-1,1];cy=[0,0,1,0,-1,1,1,-1,-1];w=np.array([4/9]+[1/9]*4+[1/36]*4);eq=lambda r,ux,uy:np.array([w[q]*r*(1+3*(c:=cx[q]*ux+cy[q]*uy)+4.5*c*c-1.5*(ux**2+uy**2)) for q in range(9)])
    y=np.arange(16);f=eq(1.,np.tile(.01*np.sin(2*np.pi*y/16),(16,1)),np.zeros((16,16)));A=[]
    for t in range(100):
        r=f.sum(0);ux=np.tensordot(cx,f,1)/r;uy=np.tensordot(cy,f,1)/r;A.append(2*(ux*np.sin(2*np.pi*y/16)).sum()/256);M=r.sum();g=f+(eq(r,ux,uy)-f)/.8;f=np.array([np.roll(np.roll(g[q],cx[q],0),cy[q],1) for q in range(9)])
    show(M);show(A[0],A[-1]);show(-np.log(A[-1]/A[0])/99/(2*np.pi/16)**2,.1)
@of
def bio_affine_gaps():
    a,b="ACACACTAGT","AGCACACAGT";m=n=10;N=-1e9;M=np.full((11,11),N);X=M.copy();Y=M.copy();M[0,0]=0;X[:,0]=-3-np.arange(11);Y[0,:]=-3-np.arange(11);H=np.zeros((11,11),int)
    for i in range(1,11):
        for j in range(1,11):
            s=2 if a[i-1]==b[j-1] else -1;M[i,j]=s+max(M[i-1,j-1],X[i-1,j-1],Y[i-1,j-1]);X[i,j]=max(M[i-1,j]-4,X[i-1,j]-1);Y[i,j]=max(M[i,j-1]-4,Y[i,j-1]-1);H[i,j]=max(0,H[i-1,j-1]+s,H[i-1,j]-1,H[i,j-1]-1)
    show(max(M[m,n],X[m,n],Y[m,n]));show(H.max())
@of
def bio_upgma():
    from scipy.cluster.hierarchy import average
    from scipy.spatial.distance import squareform
    D=np.array([[0,17,21,31,23],[17,0,30,34,21],[21,30,0,28,39],[31,34,28,0,43],[23,21,39,43,0.]]);show(average(squareform(D))[:,2]/2)
@of
def bio_translation():
    dna="CCATGGCTTATGAAACGTCTGTGAAGGATGACTAACATCC";T="FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG";x=["TCAG".index(c) for c in dna];b=dna.find("ATG");n=(len(dna)-b)//3;show(b,n,"".join(T[16*x[b+3*k]+4*x[b+3*k+1]+x[b+3*k+2]] for k in range(n)))
@of
def bio_motif():
    S=["TACGAT","TATAAT","TATAAT","GATACT","TATGAT","TATGTT"];t="GCGTATAATGGCATTGACATACGATTTTATGCC";f=np.array([[(sum(s[j]==c for s in S)+.25)/7 for c in "ACGT"] for j in range(6)]);p=np.log2(f/.25);show(2+(f*np.log2(f)).sum(1));s=np.array([sum(p[j,"ACGT".index(t[q+j])] for j in range(6)) for q in range(28)]);show(s.argmax(),s.max());show([(q,t[q:q+6]) for q in range(28) if s[q]>4])
@of
def control_lqr():
    dt=.05;N=40;A=np.array([[1,dt,0,0],[0,1,-.98*dt,0],[0,0,1,dt],[0,0,21.56*dt,1.]]);B=np.array([0,dt,0,-2*dt]);Q=np.diag([1,.1,10,.1]);R=.5;p=Q;K=[None]*N
    for t in range(N-1,-1,-1): b=p@B;K[t]=b@A/(R+B@b);p=Q+A.T@p@A-np.outer(A.T@b,K[t])
    x=x0=np.array([0,0,.2,0]);c=0;an=[.2]
    for t in range(N): u=-K[t]@x;c+=x@Q@x+R*u*u;x=A@x+B*u;an.append(abs(x[2]))
    show(K[0]);show(c+x@Q@x,x0@p@x0);show(max(an),N)
@of
def control_pid():
    n,h=600,.01;y=v=I=0.;py=None;Y=[];U=[];ae=0
    for t in range(n):
        r=1. if t<300 else .5;e=r-y;sl=0 if py is None else (py-y)/h;w=12*e+8*I+1.5*sl;u=min(max(w,-5.),5.);Y.append(y);U.append(u);ae+=abs(e)*h
        I+=h*e if abs(w)<5 else 0;py=y;v=v+h*(u-1.2*v-2*y);y=y+h*v
    Y=np.array(Y);o=np.flatnonzero(abs(Y[:300]-1)>.02);show(100*(Y[:300].max()-1),h*(o[-1]+1));show(sum(abs(u)==5 for u in U));show(Y[299],Y[-1]);show(ae)
@of
def control_ekf():
    n,dt=50,.1;t=np.arange(n);T=np.c_[1+2*dt*t,4-dt*t];z=np.c_[np.hypot(T[:,0],T[:,1])+.05*np.sin(12.9*t),np.arctan2(T[:,1],T[:,0])+.01*np.cos(7.3*t)];F=np.eye(4);F[0,2]=F[1,3]=dt;R=np.diag([.0025,.0001]);x=np.array([1,4,0,0.]);P_=np.eye(4);X=[x]
    for k in range(1,n):
        xp=F@x;Pp=F@P_@F.T+.001*np.eye(4);r=np.hypot(xp[0],xp[1]);H=np.array([[xp[0]/r,xp[1]/r,0,0],[-xp[1]/r**2,xp[0]/r**2,0,0]]);K=Pp@H.T@np.linalg.inv(H@Pp@H.T+R);x=xp+K@(z[k]-[r,np.arctan2(xp[1],xp[0])]);P_=Pp-K@(Pp@H.T).T;X.append(x)
    X=np.array(X);show(x);show(T[-1]);show(np.sqrt(((X[25:,:2]-T[25:])**2).sum(1).mean()),P_[2,2])
@of
def control_mpc():
    H,h=15,.1
    def grad(u,p,v):
        V=v+h*np.cumsum(u);Q=p+h*np.cumsum(V);gp=2*Q;gv=.2*V+h*np.cumsum(gp[::-1])[::-1];return .02*u+h*np.cumsum(gv[::-1])[::-1]
    p,v=2.,0.;A=[];Pp=[p]
    for _ in range(40):
        u=np.zeros(H)
        for _ in range(30): u=np.clip(u-.8*grad(u,p,v),-2,2)
        A.append(u[0]);v+=h*u[0];p+=h*v;Pp.append(p)
    show(np.array(A[:8]));show(Pp[10],Pp[20],Pp[40],v)
@of
def control_bode():
    from scipy.optimize import brentq
    G=lambda w:10/(1j*w*(1j*w+1)*(1j*w+5));db=lambda w:20*np.log10(abs(G(w)))
    def ph(w):
        p=np.degrees(np.angle(G(w)));return p-360 if p>0 else p
    for k in range(5): w=10**(.5*k-1);show(w,db(w),ph(w))
    wc=brentq(db,.1,10,xtol=1e-14);w1=brentq(lambda w:ph(w)+180,.1,10,xtol=1e-14);show(180+ph(wc),wc);show(-db(w1),w1)
@of
def opt_rosenbrock():
    f=lambda x:(1-x[0])**2+100*(x[1]-x[0]**2)**2;g=lambda x:np.array([-2*(1-x[0])-400*x[0]*(x[1]-x[0]**2),200*(x[1]-x[0]**2)]);Hs=lambda x:np.array([[2-400*(x[1]-3*x[0]**2),-400*x[0]],[-400*x[0],200]])
    x=np.array([-1.2,1]);m=v=0
    for k in range(1,2001): q=g(x);m=.9*m+.1*q;v=.999*v+.001*q*q;x=x-.02*(m/(1-.9**k))/(np.sqrt(v/(1-.999**k))+1e-8)
    show(x,f(x));x=np.array([-1.2,1]);v=0
    for _ in range(2000): v=.9*v+g(x);x=x-2e-4*v
    show(x);x=np.array([-1.2,1]);F=[]
    for k in range(10): F.append(f(x));x=x-np.linalg.solve(Hs(x),g(x))
    show(np.array(F[:7]));show(x);show(Hs(x))
@of
def opt_simplex():
    from scipy.optimize import linprog
    r=linprog([-1,-2,1],A_ub=[[2,1,1],[4,2,3],[2,5,5]],b_ub=[14,28,30]);show(2);show(r.x,0);show(-r.fun)
@of
def opt_nelder_mead():
    from scipy.optimize import minimize
    f=lambda p:(p[0]**2+p[1]-11)**2+(p[0]+p[1]**2-7)**2;s=lambda x0:minimize(f,x0,method="BFGS",tol=1e-12).x
    a=s([3.1,2.1]);show(a[0],a[1],1e-12);b=[s(q) for q in([-2.8,3.1],[-3.8,-3.3],[3.6,-1.8])];show(np.array(b))
@of
def opt_gauss_newton():
    t=.1*np.arange(60);mod=lambda p:p[0]*np.exp(-p[1]*t)*np.cos(p[2]*t+p[3]);y=mod([2,.3,2.5,.4])+.01*np.sin(91.7*t);p=np.array([1.5,.2,2.3,0]);S=[]
    for _ in range(20):
        r=y-mod(p);S.append((r**2).sum());e=np.exp(-p[1]*t);c,s=np.cos(p[2]*t+p[3]),np.sin(p[2]*t+p[3]);J=np.c_[e*c,-p[0]*t*e*c,-p[0]*e*t*s,-p[0]*e*s];A=J.T@J;A[np.diag_indices(4)]*=1.001;p=p+np.linalg.solve(A,J.T@r)
    show(S[0],S[-1]);show(p)
@of
def astro_transit():
    t=.05*np.arange(400);ph=lambda t,p:t/p-np.floor(t/p);fl=1+.0005*np.sin(11*t)-np.where(ph(t-.4,3.2)<.05,.01,0);p=2+.04*np.arange(60);mu=fl.mean();pw=[]
    for q in p:
        b=np.floor(40*ph(t,q)).astype(int);pw.append(max(-(fl-mu)[b==k].sum()/(b==k).sum() if (b==k).any() else 0 for k in range(40)))
    pw=np.array(pw);k=pw.argmax();show(p[k],pw[k]);k2=np.where(abs(p-p[k])<.1,0,pw).argmax();show(p[k2],pw[k2])
@of
def chem_diffusion_reaction():
    def f(u): b=10*u[0]*(1-u[1]);return np.array([-b+u[1],b-6*u[1],5*u[1]])
    u=np.array([2.,0,0]);U=[u]
    for _ in range(60):
        v=u
        for _ in range(6):
            J=np.array([[-10*(1-v[1]),10*v[0]+1,0],[10*(1-v[1]),-10*v[0]-6,0],[0,5,0]]);v=v-np.linalg.solve(np.eye(3)-.05*J,v-u-.05*f(v))
        u=v;U.append(u)
    U=np.array(U);show(*u);show(.05*np.argmax(U[:,2]>1))
@of
def climate_energy():
    n=36;dx=2/n;x=-1+dx*(np.arange(n)+.5);S=1-.482*(3*x*x-1)/2;e=-1+dx*np.arange(n+1);T=np.full(n,15.)
    for _ in range(4000):
        F=np.zeros(n+1);F[1:-1]=.6*(1-e[1:-1]**2)*(T[1:]-T[:-1])/dx;a=np.where(T<-10,.62,.3);old=T;T=T+.0002/(10/3)*30*(340*S*(1-a)-203.3-2.09*T+(F[1:]-F[:-1])/dx)
    show(T.mean(),T[18],T[0]);show((T<-10).sum(),36);print(abs((340*S*(1-a)-203.3-2.09*T).mean())<.05)
@of
def crypto_lfsr():
    s=[0x2d]
    for t in range(199):
        v=s[-1];b=(v^(v>>2)^(v>>3)^(v>>5))&1;s.append((v>>1)^(b<<15))
    o=[v&1 for v in s[:70]];show(np.array(o[:24]));show(sum(o),70);print(200,0x2d in s[1:]);d=5381
    for v in o: d=(d*33+v)%1000003
    show(d);show(np.array([[sum(o[t]==a and o[t+1]==b for t in range(69)) for b in(0,1)] for a in(0,1)]))
@of
def econ_solow():
    n=80;al,be,de=.36,.95,.1;ks=(al/(1/be-1+de))**(1/(1-al));k=ks*(.5+np.arange(n)/(n-1));c=k[:,None]**al+.9*k[:,None]-k;u=np.where(c>0,np.log(np.maximum(c,1e-300)),-1e10);V=np.zeros(n)
    for _ in range(300): W=V;V=(u+be*V).max(1)
    pol=(u+be*V).argmax(1);p=[0]
    for _ in range(59): p.append(pol[p[-1]])
    show(ks,k[p[59]]);show(V[0],V[-1]);show(1e-5);print(abs(V-W).max()<1e-5);show(k[p[0]],k[p[5]],k[p[20]])
@of
def epidemic_network():
    n=50;i,j=np.mgrid[:n,:n];d=(i-j)%n;A=(np.isin(d,[1,2,n-1,n-2])|((i!=j)&((7*i%n==j)|(7*j%n==i))))*1.;p=np.where(np.arange(n)<3,.5,0.);I=[p.sum()]
    for _ in range(200): s=np.prod(1-.08*A*p,1);p=.8*p+(1-p)*(1-s);I.append(p.sum())
    w=np.linalg.eigvalsh(A)[-1];show(A.sum()/2,A.sum(1).max());show(w,1/w,.4);show(I[10],I[50],I[200])
@of
def fem_beam():
    show(1.2*8/(3*3.5),1.2*8/(3*3.5));show(1e-10);show(-1.2,-2.4)
@of
def finance_heston():
    from scipy.stats import norm
    m=12;mu=math.log(100)+(.03-.02)*(m+1)/(2*m);v=.04*(m+1)*(2*m+1)/(6*m*m);d=(mu-math.log(100)+v)/v**.5;show(math.exp(-.03)*(math.exp(mu+v/2)*norm.cdf(d)-100*norm.cdf(d-v**.5)))
@of
def game_nim():
    g=[];mex=lambda s:next(k for k in range(99) if k not in s)
    for p in range(40): g.append(mex({g[p-m] for m in(1,3,4) if p>=m}))
    show(np.array(g));l=[p for p in range(40) if g[p]==0];show(np.array(l[:6]),l[2]-l[0]);t=3^4^5;show(t,[(h,x-(x^t)) for h,x in enumerate((3,4,5)) if x^t<x]);K=[]
    for p in range(20): K.append(mex({K[a]^K[p-1-a] for a in range(p)}|{K[a]^K[p-2-a] for a in range(p-1)}))
    show(np.array(K))
@of
def geo_kriging():
    i=np.arange(12);x,y=5+4*np.sin(2.4*i),5+4*np.cos(1.7*i+.3);v=10+x-.5*y+np.sin(x);g=lambda h:4*(1-np.exp(-h/3));M=np.ones((13,13));M[:12,:12]=g(np.hypot(x[:,None]-x,y[:,None]-y));M[12,12]=0
    def k(a,b): r=np.r_[g(np.hypot(x-a,y-b)),1];w=np.linalg.solve(M,r);return w[:12]@v,w@r
    z,s=k(5,5);show(z,s**.5);show(v[3],v[3],0.0);show(np.array([k(1.+2*q,4)[0] for q in range(5)]))
@of
def info_huffman():
    import heapq
    w=[40,13,12,16,9,5,3,2];h=[(x,k,[k]) for k,x in enumerate(w)];heapq.heapify(h);d=[0]*8
    while len(h)>1:
        a=heapq.heappop(h);b=heapq.heappop(h)
        for k in a[2]+b[2]: d[k]+=1
        heapq.heappush(h,(a[0]+b[0],min(a[1],b[1]),a[2]+b[2]))
    p=np.array(w)/100;show(-(p*np.log2(p)).sum(),(np.array(w)*d).sum()/100);show(1.0)
@of
def ml_autoencoder():
    i,j=np.mgrid[:60,:5];t=.11*i;X=np.sin(t+.5*j)+.3*np.cos(2*t-j)+.02*np.sin(31.*i+7.*j);C=np.cov(X.T,bias=True);show(5,np.linalg.eigvalsh(C)[:3].sum()/5)
@of
def ml_policy_gradient():
    n=25;nx=np.zeros((n,4),int);R=np.zeros((n,4))
    for s in range(n):
        for a in range(4):
            if s in(24,12): nx[s,a]=s;continue
            r=min(max(s//5+[1,-1,0,0][a],0),4);c=min(max(s%5+[0,0,1,-1][a],0),4);nx[s,a]=r*5+c;R[s,a]=1 if nx[s,a]==24 else -1 if nx[s,a]==12 else -.02
    V=np.zeros(n)
    for _ in range(60): V=(R+.9*V[nx]).max(1)
    show(V[0],V[7],V[23]);show((R+.9*V[nx]).argmax(1).reshape(5,5))
@of
def optics_abcd():
    g=lambda d:np.array([[1,d],[0,1.]]);l=lambda f:np.array([[1,0],[-1/f,1.]]);M=l(.05)@g(.25)@l(.2);show(M[0,0]);st=np.array([np.trace(g(d)@l(.25)@g(d)@l(.25))/2 for d in(.2,.5,.9,1.1)]);show(st);q=1j*np.pi*1e-6/633e-9;M=g(.1)@l(.1);q=(M[0,0]*q+M[0,1])/(M[1,0]*q+M[1,1]);show((633e-9*q.imag/np.pi)**.5*1e6,q.real*1e6)
@of
def physics_heat_fins():
    n=20;h=1/19;i,j=np.mgrid[:n,:n];S=50.*((abs(i*h-.5)<.15)&(abs(j*h-.5)<.15));u=np.zeros((n,n))
    for _ in range(150):
        for c in(0,1):
            p=np.pad(u,1);p[1:-1,-1]=u[:,-2];new=(p[:-2,1:-1]+p[2:,1:-1]+p[1:-1,:-2]+p[1:-1,2:]+h*h*S)/4;m=((i+j)%2==c)&(i>0)&(i<n-1)&(j>0);u=np.where(m,u+1.7*(new-u),u)
    k=np.unravel_index(u.argmax(),u.shape);show(u.max(),k[0],k[1]);show(u[10,19])
@of
def robotics_arm():
    L=np.array([1,.8,.5]);hand=lambda q:np.array([(L*np.cos(q.cumsum())).sum(),(L*np.sin(q.cumsum())).sum()]);q=np.array([.1,.2,.3]);T=np.array([1.2,1.1]);x0=hand(q);ms=[]
    for _ in range(60):
        a=q.cumsum();J=np.array([[-(L*np.sin(a))[k:].sum() for k in range(3)],[(L*np.cos(a))[k:].sum() for k in range(3)]]);e=T-hand(q);ms.append(np.linalg.norm(e));q=q+J.T@np.linalg.solve(J@J.T+.0025*np.eye(2),e)
    show(x0,hand(q));show(ms[0],ms[1],ms[3],1e-9);show(q)
@of
def signal_wiener():
    n=128;t=np.arange(n);c=np.sin(2*np.pi*3*t/n)+.5*np.cos(2*np.pi*7*t/n);y=c+.4*np.sin(2*np.pi*41*t/n+.3)+.3*np.cos(2*np.pi*55*t/n);F=np.fft.fft(y);P=abs(F)**2/n;k=t;s=np.where((k<=10)|(k>=n-10),P,0);G=s/(s+.5);r=np.fft.ifft(G*F).real;rm=lambda a:np.sqrt(((a-c)**2).mean());show(rm(y),rm(r));top=[q for q in range(64) if P[q]>1];show(np.array(top),P[top]);show(np.array([3]),G[3],7,G[7]) if 0 else show(G[3],G[7],G[41])
@of
def stats_bayes_ab():
    p=(np.arange(400)+.5)/400
    def post(s,n): l=s*np.log(p)+(n-s)*np.log(1-p);w=np.exp(l-l.max());return w/w.sum()
    a,b=post(48,400),post(70,410);show(p@a,p@b);i=np.arange(400);show((np.outer(a,b)*((i>i[:,None])+.5*(i==i[:,None]))).sum());c=b.cumsum();show(95,p[np.argmax(c>=.025)],p[np.argmax(c>=.975)]);from scipy.stats import chi2_contingency as cc;x=cc([[48,352],[70,340]],correction=False);show(x.statistic,x.pvalue)
@of
def text_levenshtein_search():
    W=["kitten","sitting","mitten","kitchen","knitting","written","smitten"]
    def lev(a,b):
        d=list(range(len(b)+1))
        for i,x in enumerate(a,1):
            p,d[0]=d[0],i
            for j,y in enumerate(b,1): p,d[j]=d[j],min(d[j]+1,d[j-1]+1,p+(x!=y))
        return d[-1]
    show(np.array([lev("kiten",w) for w in W]));g=lambda w:[w[i:i+2] for i in range(len(w)-1)];show(np.array([2*sum(x in g(w) for x in g("kiten"))/(4+len(w)-1) for w in W]))
@of
def ts_holt_winters():
    n=96;t=np.arange(n);y=20+.3*t+4*np.sin(2*np.pi*t/12)+.8*np.sin(5.3*t);sg=lambda x:1/(1+np.exp(-x))
    def fc(th):
        a,b,g=sg(th);lv=y[:12].mean();tr=(y[12:24]-y[:12]).mean()/12;s=list(y[:12]-y[:12].mean());F=[]
        for k in range(12,n):
            F.append(lv+tr+s[k-12]);nl=a*(y[k]-s[k-12])+(1-a)*(lv+tr);tr=b*(nl-lv)+(1-b)*tr;lv=nl;s.append(g*(y[k]-lv)+(1-g)*s[k-12])
        return np.array(F)
    L=lambda th:((y[12:]-fc(th))**2).mean();th=np.array([0.,-2,-1]);H=[]
    for _ in range(80):
        H.append(L(th));g=np.zeros(3)
        for k in range(3):
            e=np.zeros(3);e[k]=1e-4;g[k]=(8*(L(th+e)-L(th-e))-(L(th+2*e)-L(th-2*e)))/(12e-4)
        th=th-.2*g
    show(H[0],H[-1]);show(sg(th));show(fc(th)[-1],y[-1])
if __name__=="__main__":
    for n in (sys.argv[1:] or P):
        print("==",n);P[n]()
