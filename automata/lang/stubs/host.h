// Enough of the host's side that launches in the same file are understood; kernels use none of it.

typedef int cudaError_t;
typedef int cudaError;
typedef struct CUstream_st* cudaStream_t;
// The driver's own types, as launchers name them.
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NOT_FOUND = 500, CUDA_ERROR_UNKNOWN = 999 };
typedef struct CUfunc_st* CUfunction; typedef struct CUmod_st* CUmodule; typedef struct CUctx_st* CUcontext; typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel; typedef struct CUstream_st* CUstream; typedef int CUdevice; typedef unsigned long long CUdeviceptr;
enum CUfunc_cache { CU_FUNC_CACHE_PREFER_NONE, CU_FUNC_CACHE_PREFER_SHARED, CU_FUNC_CACHE_PREFER_L1, CU_FUNC_CACHE_PREFER_EQUAL };
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };
enum CUtensorMapDataType { CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7, CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9 };
enum CUtensorMapSwizzle { CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B };
enum CUtensorMapL2promotion { CU_TENSOR_MAP_L2_PROMOTION_NONE }; enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE };
int nvtxRangePush(const char*); int nvtxRangePop(); int nvtxRangePushA(const char*);
enum CUfunction_attribute { CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 }; enum CUjit_option {}; enum CUdevice_attribute {};
typedef struct CUevent_st* cudaEvent_t;
typedef struct __spmd_texture* cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaArray* cudaArray_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum { cudaSuccess = 0, cudaErrorNotReady = 600, cudaMemAttachGlobal = 1, cudaHostAllocDefault = 0, cudaStreamNonBlocking = 1, cudaFuncCachePreferShared = 1,
       cudaFuncCachePreferL1 = 2, cudaEventDisableTiming = 2, cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaTextureType1D = 1,
       cudaTextureType2D = 2, cudaTextureType3D = 3, cudaHostAllocMapped = 2, cudaDevAttrMultiProcessorCount = 16 };
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem, sharedMemPerBlock; int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3],
  maxGridSize[3], major, minor, multiProcessorCount, clockRate, maxThreadsPerMultiProcessor, cooperativeLaunch; };
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" { int fprintf(FILE*, const char*, ...); int sprintf(char*, const char*, ...); int snprintf(char*, size_t, const char*, ...); int puts(const char*);
  int sscanf(const char*, const char*, ...); int fscanf(FILE*, const char*, ...); int scanf(const char*, ...); FILE* fopen(const char*, const char*);
  int fclose(FILE*); size_t fread(void*, size_t, size_t, FILE*); size_t fwrite(const void*, size_t, size_t, FILE*); int fflush(FILE*);
  char* fgets(char*, int, FILE*); int fputs(const char*, FILE*); int atoi(const char*); long atol(const char*); double atof(const char*);
  void exit(int); void abort(); int rand(); void srand(unsigned); long random(); double drand48(); void srand48(long); void* calloc(size_t, size_t);
  void* realloc(void*, size_t); size_t strlen(const char*); int strcmp(const char*, const char*); int strncmp(const char*, const char*, size_t);
  char* strcpy(char*, const char*); char* strncpy(char*, const char*, size_t); char* strcat(char*, const char*); char* strchr(const char*, int);
  char* strstr(const char*, const char*); char* strtok(char*, const char*); char* strdup(const char*); int memcmp(const void*, const void*, size_t);
  time_t time(time_t*); long strtol(const char*, char**, int); unsigned long strtoul(const char*, char**, int); double strtod(const char*, char**);
  void qsort(void*, size_t, size_t, int (*)(const void*, const void*)); char* getenv(const char*); void* aligned_alloc(size_t, size_t); void perror(const char*); }
int cudaMalloc(...); int cudaFree(...);
int cudaMallocManaged(...); int cudaMallocHost(...); int cudaFreeHost(...);
int cudaHostAlloc(...); int cudaMemcpy(...); int cudaMemcpyAsync(...);
int cudaMemset(...); int cudaMemsetAsync(...); int cudaMemcpyToSymbol(...);
int cudaMemcpyFromSymbol(...); int cudaDeviceSynchronize(...); int cudaGetLastError(...);
int cudaPeekAtLastError(...); int cudaSetDevice(...); int cudaGetDevice(...);
int cudaGetDeviceCount(...); int cudaGetDeviceProperties(...); int cudaDeviceReset(...);
int cudaStreamCreate(...); int cudaStreamSynchronize(...); int cudaStreamDestroy(...);
int cudaEventCreate(...); int cudaEventRecord(...); int cudaEventSynchronize(...);
int cudaEventElapsedTime(...); int cudaEventDestroy(...); int cudaFuncSetAttribute(...);
int cudaDeviceGetAttribute(...); int cudaLaunchKernel(...); int cudaFuncSetCacheConfig(...);
int cudaLaunchCooperativeKernel(...); int cudaOccupancyMaxActiveBlocksPerMultiprocessor(...);
int cudaMemcpy2D(...); int cudaMallocPitch(...); int cudaMallocAsync(...);
int cudaFreeAsync(...); int cudaMallocArray(...); int cudaFreeArray(...);
int cudaGetSymbolAddress(...); int cudaMemPrefetchAsync(...); int cudaThreadSynchronize(...); int cudaHostRegister(...);
int cudaHostGetDevicePointer(...); int cudaMemGetInfo(...); int cudaMemAdvise(...); int cudaMemcpyToSymbolAsync(...); int cudaCreateTextureObject(...);
int cudaDestroyTextureObject(...); int cudaBindTexture(...); int cudaUnbindTexture(...); int cudaBindTextureToArray(...); int cudaMemcpyToArray(...);
int cudaMalloc3D(...); int cudaMalloc3DArray(...); int cudaMemcpy3D(...); int cudaMemcpy2DToArray(...); int cudaMemset2D(...); int cudaDeviceSetLimit(...);
int cudaStreamCreateWithFlags(...); int cudaEventCreateWithFlags(...); int cudaStreamWaitEvent(...); int cudaEventQuery(...); int cudaStreamQuery(...);
int cudaDeviceSetCacheConfig(...); int cudaFuncGetAttributes(...); int cudaOccupancyMaxPotentialBlockSize(...); int cudaSetDeviceFlags(...);
int cudaDeviceCanAccessPeer(...); int cudaDeviceEnablePeerAccess(...); int cudaMemcpyPeer(...); int cudaProfilerStart(...); int cudaProfilerStop(...);
int cudaDriverGetVersion(...); int cudaRuntimeGetVersion(...); int cudaMemset3D(...); int cudaDeviceGetLimit(...); int cudaStreamCreateWithPriority(...);
int cudaGetTextureObjectResourceDesc(...); int cudaMemPoolCreate(...); int cudaLaunchHostFunc(...); int getopt(...); int getopt_long(...); void bzero(...);
int gettimeofday(...); int usleep(unsigned); extern char* optarg; extern int optind; int clock_gettime(...); int omp_get_max_threads(); double omp_get_wtime();
struct cudaExtent { size_t width, height, depth; }; struct cudaPitchedPtr { void* ptr; size_t pitch, xsize, ysize; };
struct timeval { long tv_sec, tv_usec; }; struct timespec { long tv_sec, tv_nsec; };
cudaExtent make_cudaExtent(size_t, size_t, size_t); cudaPitchedPtr make_cudaPitchedPtr(void*, size_t, size_t, size_t);
struct cudaChannelFormatDesc { int x, y, z, w, f; }; template<class T> cudaChannelFormatDesc cudaCreateChannelDesc();
const char* cudaGetErrorString(int);
const char* cudaGetErrorName(int);
namespace std {
typedef long streamsize;
template<class T> struct initializer_list {
  const T* first; size_t count;
  constexpr const T* begin() const { return first; } constexpr const T* end() const { return first + count; } constexpr size_t size() const { return count; }
};
template<class T> constexpr T max(initializer_list<T> some) { T best = *some.begin(); for (const T& each : some) if (best < each) best = each; return best; }
template<class T> constexpr T min(initializer_list<T> some) { T best = *some.begin(); for (const T& each : some) if (each < best) best = each; return best; }
struct string {
  static constexpr size_t npos = ~0UL;
  string(); string(const char*); string(size_t, char); template<class I> string(I, I);
  const char* c_str() const; const char* data() const; size_t size() const; size_t length() const; bool empty() const; int compare(const string&) const;
  size_t find(const string&, size_t = 0) const; size_t find_last_of(const string&) const; size_t rfind(const string&) const; string substr(size_t, size_t = npos) const;
  string& operator+=(const string&); string& operator+=(char); char& operator[](size_t); const char& operator[](size_t) const; string& append(const string&);
  void push_back(char); char* begin(); char* end(); const char* begin() const; const char* end() const; char& back(); void clear(); void resize(size_t); void reserve(size_t);
  string& insert(size_t, const string&); string& replace(size_t, size_t, const string&); string& erase(size_t = 0, size_t = npos); size_t find(char, size_t = 0) const;
};
string operator+(const string&, const string&); string operator+(const string&, char); bool operator==(const string&, const string&); bool operator!=(const string&, const string&);
bool operator<(const string&, const string&);
template<class T> string to_string(T);
int stoi(const string&); long stol(const string&); float stof(const string&); double stod(const string&); unsigned long stoul(const string&);
struct ios_base { enum fmtflags { f }; static constexpr int in = 1, out = 2, binary = 4, app = 8, ate = 16, end = 2, beg = 0; };
typedef ios_base ios;
struct __manipulator {};
struct ostream : ios_base {
  template<class T> ostream& operator<<(const T&); ostream& operator<<(ostream& (*)(ostream&));
  streamsize precision() const; streamsize precision(streamsize); void flush(); ostream& write(const char*, streamsize); int setf(...); explicit operator bool() const;
};
struct istream : ios_base {
  template<class T> istream& operator>>(T&); istream& read(char*, streamsize); explicit operator bool() const; bool good() const; bool eof() const; bool fail() const;
  istream& seekg(...); long tellg(); int get(); istream& getline(char*, streamsize); void clear(); istream& ignore(...);
};
struct ifstream : istream { ifstream(); ifstream(const string&, int = 0); void open(const string&, int = 0); void close(); bool is_open() const; };
struct ofstream : ostream { ofstream(); ofstream(const string&, int = 0); void open(const string&, int = 0); void close(); bool is_open() const; };
struct stringstream : ostream { stringstream(); stringstream(const string&); string str() const; template<class T> stringstream& operator>>(T&); };
struct istringstream : istream { istringstream(const string&); string str() const; };
struct ostringstream : ostream { string str() const; };
istream& getline(istream&, string&, char = 0);
extern ostream cout, cerr, clog;
extern istream cin;
ostream& endl(ostream&);
ostream& flush(ostream&);
__manipulator setprecision(int); __manipulator setw(int); __manipulator setfill(char);
extern __manipulator fixed, scientific, hex, dec, left, right, boolalpha, defaultfloat, showpoint;
struct exception { exception(); virtual const char* what() const; virtual ~exception(); };
struct runtime_error : exception { runtime_error(const string&); };
struct logic_error : exception { logic_error(const string&); };
struct invalid_argument : exception { invalid_argument(const string&); };
struct out_of_range : exception { out_of_range(const string&); };
struct bad_alloc : exception {};
template<class T> struct vector {
  using value_type = T; using iterator = T*; using const_iterator = const T*; using reference = T&; using size_type = size_t;
  vector(); explicit vector(size_t); vector(size_t, const T&); vector(initializer_list<T>); template<class I> vector(I, I);
  T* data(); const T* data() const; size_t size() const; bool empty() const; T& operator[](size_t); const T& operator[](size_t) const;
  T* begin(); T* end(); const T* begin() const; const T* end() const; const T* cbegin() const; const T* cend() const; void push_back(const T&);
  void resize(size_t); void resize(size_t, const T&); void reserve(size_t); void clear(); T& back(); T& front(); const T& back() const;
  template<class... A> void emplace_back(A&&...); void assign(size_t, const T&); template<class I> void assign(I, I); T& at(size_t); void pop_back();
  T* insert(...); T* erase(...); size_t capacity() const; void swap(vector&); void shrink_to_fit(); bool operator==(const vector&) const;
};
template<class K, class V> struct map {
  using iterator = pair<K, V>*;
  V& operator[](const K&); size_t count(const K&) const; size_t size() const; bool empty() const; iterator begin(); iterator end(); iterator find(const K&);
  V& at(const K&); iterator insert(...); void erase(...); void clear(); map(); map(initializer_list<pair<K, V>>);
};
template<class K, class V, class H = int> struct unordered_map : map<K, V> {};
template<class K> struct set { size_t count(const K&) const; size_t size() const; void insert(const K&); K* begin(); K* end(); K* find(const K&); bool empty() const; };
template<class K> struct unordered_set : set<K> {};
template<class T> struct queue { void push(const T&); void pop(); T& front(); bool empty() const; size_t size() const; };
template<class T> struct stack { void push(const T&); void pop(); T& top(); bool empty() const; size_t size() const; };
template<class T> struct list : vector<T> { void push_front(const T&); };
template<class T> struct deque : vector<T> { void push_front(const T&); };
struct input_iterator_tag {}; struct output_iterator_tag {}; struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {}; struct random_access_iterator_tag : bidirectional_iterator_tag {};
template<class C, class T, class D = ptrdiff_t, class P = T*, class R = T&> struct iterator {
  using iterator_category = C; using value_type = T; using difference_type = D; using pointer = P; using reference = R; };
template<class I> struct iterator_traits { using iterator_category = typename I::iterator_category; using value_type = typename I::value_type;
  using difference_type = typename I::difference_type; using pointer = typename I::pointer; using reference = typename I::reference; };
template<class T> struct iterator_traits<T*> : iterator<random_access_iterator_tag, T> {};
template<class T> struct iterator_traits<const T*> : iterator<random_access_iterator_tag, T, ptrdiff_t, const T*, const T&> {};
template<class T> struct default_delete { void operator()(T*) const; };
#define __SPMD_OWNER(N) N(); N(nullptr_t); explicit N(T*); T* get() const; void reset(T* = nullptr); explicit operator bool() const;
template<class T, class D = default_delete<T>> struct unique_ptr { __SPMD_OWNER(unique_ptr) T& operator*() const; T* operator->() const; T* release(); unique_ptr(T*, D);
  template<class U, class E> unique_ptr(unique_ptr<U, E>&&); };
template<class T, class D> struct unique_ptr<T[], D> { __SPMD_OWNER(unique_ptr) T& operator[](size_t) const; T* release(); };
template<class T> struct shared_ptr { __SPMD_OWNER(shared_ptr) T& operator*() const; T* operator->() const; long use_count() const; using element_type = T;
  template<class U, class D> shared_ptr(U*, D); template<class U> shared_ptr(const shared_ptr<U>&); template<class U, class D> shared_ptr(unique_ptr<U, D>&&); };
template<class T> struct weak_ptr { weak_ptr(); weak_ptr(const shared_ptr<T>&); shared_ptr<T> lock() const; bool expired() const; };
template<class T> struct enable_shared_from_this { shared_ptr<T> shared_from_this(); shared_ptr<const T> shared_from_this() const; };
#define __SPMD_OWNERS(N, O) template<class T, class U> bool operator O(const N<T>&, const N<U>&); template<class T> bool operator O(const N<T>&, nullptr_t); \
  template<class T> bool operator O(nullptr_t, const N<T>&);
__SPMD_OWNERS(shared_ptr, ==) __SPMD_OWNERS(shared_ptr, !=) __SPMD_OWNERS(unique_ptr, ==) __SPMD_OWNERS(unique_ptr, !=)
template<class T, class U> shared_ptr<T> static_pointer_cast(const shared_ptr<U>&); template<class T, class U> shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U>&);
template<class T, class U> shared_ptr<T> const_pointer_cast(const shared_ptr<U>&);
struct type_info { const char* name() const; bool operator==(const type_info&) const; bool operator!=(const type_info&) const; size_t hash_code() const; };
struct type_index { type_index(const type_info&); const char* name() const; size_t hash_code() const; };
template<class T, class... A> unique_ptr<T> make_unique(A&&...);
template<class T, class... A> shared_ptr<T> make_shared(A&&...);
template<class S> struct function;
template<class R, class... A> struct function<R(A...)> { template<class F> function(F); R operator()(A...) const; };
struct random_device { unsigned operator()(); };
struct mt19937 { mt19937(unsigned = 0); unsigned operator()(); void seed(unsigned); };
struct mt19937_64 { mt19937_64(unsigned long = 0); unsigned long operator()(); };
struct default_random_engine { default_random_engine(unsigned = 0); unsigned operator()(); };
template<class T = double> struct uniform_real_distribution { uniform_real_distribution(T = 0, T = 1); template<class G> T operator()(G&); };
template<class T = int> struct uniform_int_distribution { uniform_int_distribution(T = 0, T = 1); template<class G> T operator()(G&); };
template<class T = double> struct normal_distribution { normal_distribution(T = 0, T = 1); template<class G> T operator()(G&); };
template<class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
template<class C, class R = void, class A = void> struct basic_string; template<class C, class R = void> struct basic_string_view;
struct string_view { string_view(const char*); string_view(const string&); const char* data() const; size_t size() const; };
struct piecewise_construct_t {}; inline constexpr piecewise_construct_t piecewise_construct = {};
template<class T> struct hash { size_t operator()(const T&) const noexcept; };
template<class T = void> struct equal_to { template<class A, class B> bool operator()(const A&, const B&) const; };
template<class T> struct is_nothrow_swappable : true_type {}; template<class T> struct is_swappable : true_type {};
template<class T> struct allocator { using value_type = T; T* allocate(size_t); void deallocate(T*, size_t); };
struct overflow_error : runtime_error { overflow_error(const string&); }; struct range_error : runtime_error { range_error(const string&); };
struct length_error : logic_error { length_error(const string&); }; struct domain_error : logic_error { domain_error(const string&); };
struct bad_function_call : exception {};
struct nullopt_t {}; inline constexpr nullopt_t nullopt = {};
template<class T> struct optional { optional(); optional(const T&); optional(nullopt_t); explicit operator bool() const; bool has_value() const; T& value(); T& operator*(); T* operator->(); };
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
void atomic_thread_fence(memory_order);
template<class T> struct atomic {
  atomic(); atomic(T); T load(memory_order = memory_order_seq_cst) const; void store(T, memory_order = memory_order_seq_cst); operator T() const; T operator=(T);
  T exchange(T, memory_order = memory_order_seq_cst); T fetch_add(T, memory_order = memory_order_seq_cst); T fetch_sub(T, memory_order = memory_order_seq_cst);
  bool compare_exchange_strong(T&, T, memory_order = memory_order_seq_cst); T operator++(); T operator++(int); T operator--(); T operator--(int); T operator+=(T);
};
struct once_flag { once_flag(); }; template<class F, class... A> void call_once(once_flag&, F&&, A&&...);
struct shared_mutex { void lock(); void unlock(); void lock_shared(); void unlock_shared(); };
template<class M> struct shared_lock { explicit shared_lock(M&); void unlock(); };
struct regex { regex(); regex(const string&); }; string regex_replace(const string&, const regex&, const string&);
template<class T> constexpr const T& as_const(T& x) { return x; }
struct mutex { void lock(); void unlock(); bool try_lock(); }; template<class M> struct lock_guard { explicit lock_guard(M&); };
template<class M> struct unique_lock { explicit unique_lock(M&); void lock(); void unlock(); };
struct thread { thread(); template<class F, class... A> explicit thread(F&&, A&&...); void join(); static unsigned hardware_concurrency(); };
template<class K, class V> struct multimap : map<K, V> {}; template<class K> struct multiset : set<K> {};
template<class T> struct priority_queue : queue<T> { const T& top() const; };
template<class T> struct forward_list : vector<T> {}; template<size_t N> struct bitset { bool operator[](size_t) const; size_t count() const; };
namespace chrono {
struct __count { long count() const; };
template<class T, class P = int> struct duration { duration(); duration(__count); T count() const; };
using nanoseconds = duration<long>; using microseconds = duration<long, short>; using milliseconds = duration<long, char>; using seconds = duration<long, long>;
struct __moment { __count time_since_epoch() const; };
__count operator-(__moment, __moment);
template<class C> struct time_point : __moment { time_point(); time_point(__moment); };
struct steady_clock { using time_point = __moment; static __moment now(); };
struct high_resolution_clock { using time_point = __moment; static __moment now(); };
struct system_clock { using time_point = __moment; static __moment now(); };
template<class T, class D> T duration_cast(D);
}  // namespace chrono
template<class T, class U> constexpr auto gcd(T a, U b) -> decltype(a + b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }
template<class T, class U> constexpr auto lcm(T a, U b) -> decltype(a + b) { return a / gcd(a, b) * b; } void* align(size_t, size_t, void*&, size_t&);
template<class I, class T> void fill(I, I, const T&); template<class I, class N, class T> void fill_n(I, N, const T&); template<class I> void sort(I, I);
template<class I, class F> void sort(I, I, F); template<class I, class F> void generate(I, I, F); template<class I, class T> T accumulate(I, I, T);
template<class I, class T, class F> T accumulate(I, I, T, F); template<class I> I max_element(I, I); template<class I> I min_element(I, I);
template<class I, class T> void iota(I, I, T); template<class I, class O> O copy(I, I, O); template<class I, class O, class F> O transform(I, I, O, F);
template<class I, class G> void shuffle(I, I, G&&); template<class I, class J> bool equal(I, I, J); template<class I, class F> F for_each(I, I, F);
template<class I, class T> I find(I, I, const T&); template<class I, class F> I find_if(I, I, F); template<class I, class F> bool all_of(I, I, F);
template<class I, class F> bool any_of(I, I, F); template<class I, class F> bool none_of(I, I, F); template<class I, class F> long count_if(I, I, F);
 template<class I> void reverse(I, I); template<class I> I unique(I, I); template<class I> long distance(I, I);
template<class I, class T> I lower_bound(I, I, const T&); template<class I, class T> I upper_bound(I, I, const T&); template<class I> void random_shuffle(I, I);
template<class T, size_t N> constexpr T* begin(T (&a)[N]) { return a; } template<class T, size_t N> constexpr T* end(T (&a)[N]) { return a + N; }
template<class C> auto begin(C& c) -> decltype(c.begin()); template<class C> auto end(C& c) -> decltype(c.end()); template<class I, class T> long count(I, I, const T&);
using ::exit; using ::rand; using ::srand; using ::fprintf; using ::strcmp; using ::strlen; using ::atoi; using ::abort; using ::time; using ::atof; using ::sprintf;
using ::clock_t; using ::time_t; using ::FILE; using ::fopen; using ::fclose; using ::getenv; using ::calloc; using ::realloc; using ::strcpy; using ::snprintf;
}  // namespace std
// Textures: a fetch is a function of the texture and the coordinates; kernels cannot write what it reads.
template<class T, int D = 1, cudaTextureReadMode M = cudaReadModeElementType> struct texture { int handle; };
#define __SPMD_FETCH(N, ...) template<class T> __device__ T N(cudaTextureObject_t, __VA_ARGS__); \
  template<class T, int D, cudaTextureReadMode M> __device__ T N(texture<T, D, M>, __VA_ARGS__);
__SPMD_FETCH(tex1Dfetch, int)
__SPMD_FETCH(tex1D, float)
__SPMD_FETCH(tex2D, float, float)
__SPMD_FETCH(tex3D, float, float, float)
