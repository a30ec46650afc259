"""The technologies that a month can name, and what shows each: a table to read and to extend.

Lists are separated by commas, `paths` by spaces. What stands in a row:

    names   what is both a part and a word
    paths   files that show it: `Dockerfile` a name, `*.proto` an ending, `docker-compose*` a beginning,
            `vite.config.*` both ends, `.github/workflows/` a folder at any depth
    parts   whole pieces of a path or of an identifier in a subject, in small letters: `rdma` is one of
            `src/rdma_manager.rs` and of `RdmaBuffer`, not of `cardmaker`
    words   whole words of a subject, in any case, written here in small letters: `apache spark`
    exact   the same, in this case only: `DDP`

`called` makes rows of technologies whose name says it all. A word with an everyday meaning (express, rails, spring,
flask, react, make) belongs nowhere. Programming languages are not here: they are known from files alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Technology(NamedTuple):
    name: str
    names: str = ""
    paths: str = ""
    parts: str = ""
    words: str = ""
    exact: str = ""


T = Technology


def called(names: str) -> Iterator[Technology]:
    return (Technology(name, name.lower()) for name in names.split(", "))


LEXICON: tuple[Technology, ...] = (
    # --- machine learning: frameworks and their parts
    T("PyTorch", "torch, pytorch", words="libtorch, aten"),
    T("torch.compile", "torchdynamo, torchinductor, inductor", words="torch.compile, pt2 compile, aotautograd, "
      "dynamo tracing"),
    T("torch.export", words="torch.export, torchexport, aotinductor, aoti, export_for_training"),
    T("TorchScript", "torchscript", words="torch.jit, jit.script, torch script"),
    T("torch.distributed", "c10d", words="torch.distributed, processgroup, process group, process groups, torchrun, "
      "symmetric memory, symmetricmemory, symm_mem, devicemesh, torchelastic"),
    T("FSDP", "fsdp, fsdp2", words="fully_shard, fully sharded data parallel"),
    T("DDP", words="distributeddataparallel, distributed data parallel", exact="DDP"),
    T("DTensor", "dtensor", words="dtensors"),
    T("TorchRec", words="torchrec"),
    T("FBGEMM", "fbgemm", words="fbgemm_gpu"),
    T("xFormers", words="xformers"),
    T("torchao", words="torchao"),
    T("torchtune", words="torchtune"),
    T("TorchTitan", words="torchtitan"),
    T("torchvision", words="torchvision"),
    T("Transformer Engine", words="transformer engine, transformerengine, transformer_engine"),
    T("Megatron", "megatron", words="megatron-lm, megatron core, mcore"),
    T("PyTorch Lightning", words="pytorch lightning, lightning trainer"),
    T("JAX", "jax", parts="pallas"),
    T("PaddlePaddle", paths="paddle/", words="paddlepaddle", exact="Paddle"),
    T("XLA", "stablehlo", parts="xla", words="openxla", exact="XLA"),
    T("ONNX", "onnx", paths="*.onnx", words="onnx runtime, onnxruntime"),
    T("TensorRT", "tensorrt", words="tensorrt-llm, trt-llm"),
    T("llama.cpp", "ggml, gguf", words="llama.cpp"),
    T("Hugging Face", "huggingface", words="hugging face, hf hub, hf transformers"),
    T("scikit-learn", "sklearn", words="scikit-learn"),
    T("Jupyter", "jupyter, jupyterlab", paths="*.ipynb", words="ipython"),
    T("Weights & Biases", "wandb", words="weights & biases, weights and biases"),
    T("Ray", "kuberay", words="ray.io, anyscale, ray cluster, ray tune, ray serve"),
    *called(
        "ExecuTorch, DeepSpeed, Flax, TensorFlow, Keras, OpenVINO, vLLM, SGLang, LangChain, XGBoost, LightGBM, NumPy, "
        "SciPy, pandas, Polars, Dask, Numba, CuPy, OpenCV, Matplotlib, Streamlit, Gradio, MLflow, TensorBoard"
    ),
    # --- machine learning: methods that are named like a technology
    T("Quantization", "quantization, quantize, quantized, dequantize, gptq, int4, int8, nf4, smoothquant, "
      "autoquant", parts="quantizer, dequant, qat, ptq, awq", words="uint4, post-training quantization", exact="QAT, "
      "PTQ, AWQ"),
    T("FP8", "fp8, float8, mxfp8", words="e4m3, e5m2, blockwise fp8"),
    T("FP4", "fp4, mxfp4, nvfp4"),
    T("MX formats", "mxfp8, mxfp4, mxfp6", words="microscaling, mx formats"),
    T("BF16", "bf16, bfloat16"),
    T("Mixed precision", "autocast", words="mixed precision"),
    T("Sparsity", "sparsity, sparsify, sparse24", words="2:4 sparse, semi-structured sparse"),
    T("FlashAttention", "flashattention", parts="flashattn", words="flash attention, flash-attn, flash_attn, "
      "flashattention2, flashattention3, flash_attention, fav2, fav3, fa3", exact="FA2, FA4, Flash3"),
    T("Mixture of experts", "moe", words="mixture of experts, mixture-of-experts"),
    T("LoRA", "qlora", exact="LoRA"),
    T("KV cache", "kvcache", words="kv cache, kv_cache, kv-cache, paged attention, pagedattention"),
    T("Tensor parallelism", words="tensor parallel, tensor parallelism, tensor_parallel, sequence parallel, sequence "
      "parallelism, sequence_parallel"),
    T("Pipeline parallelism", words="pipeline parallel, pipeline parallelism, pipeline_parallel"),
    T("Context parallelism", words="context parallel, context parallelism, context_parallel, ring attention"),
    T("Activation checkpointing", words="activation checkpointing, activation checkpoint, gradient checkpointing, "
      "selective checkpointing"),
    T("GEMM kernels", "gemm, gemms, gemv, matmul", words="grouped gemm"),
    # --- accelerators and what talks to them
    T("CUDA", "cuda", paths="*.cu *.cuh", words="nvcc, cuda kernel"),
    T("CUDA Graphs", "cudagraph, cudagraphs", words="cuda graph, cuda graphs, cuda_graph, cuda-graph, cudagraphable"),
    T("Triton", "triton", words="triton kernel", exact="TLX"),
    T("CUTLASS", "cutlass", paths="cute/", words="cute dsl", exact="CuTe, CuteDSL"),
    T("cuBLAS", "cublas, cublaslt", words="cublasmp"),
    T("cuSPARSE", "cusparse, cusparselt"),
    T("CUPTI and Kineto", "kineto, cupti"),
    T("NCCL", "nccl, ncclx"),
    T("NVLink", "nvlink", words="nvl72, mnnvl, nvswitch"),
    T("MPI", "openmpi, mpirun", parts="mpi", words="mpi4py", exact="MPI"),
    T("libfabric", "libfabric", parts="efa", exact="EFA"),
    T("RDMA", "rdma, ibverbs, infiniband, mlx5", parts="rdmaxcel, rdmacore, ibv, mlx5dv", words="rdma-core, queue "
      "pair, queue pairs, queuepair, queuepairs, roce"),
    T("GPUDirect", "gpudirect", words="gpu direct, gdrcopy"),
    T("ROCm", "rocm, hipify, hipblaslt, miopen", paths="*.hip", parts="rocblas", words="mi300, mi300x, mi250, "
      "mi350", exact="HIP, AITER"),
    T("Composable Kernel", words="composable kernel, composable_kernel, ck-tile, ck_tile"),
    T("TPU", parts="tpu", exact="TPU, TPUs"),
    T("Intel XPU", "sycl, ipex", parts="xpu", words="oneapi", exact="XPU"),
    T("oneDNN", "onednn, mkldnn"),
    T("Intel MKL", words="intel mkl", exact="MKL"),
    T("Apple MPS", parts="mps", words="metal performance shaders"),
    T("Metal", paths="*.metal", words="metal shader, metal shaders, metal kernel, metal kernels"),
    T("OpenCL", "opencl", paths="*.cl"),
    T("WebGPU", "webgpu, wgpu", paths="*.wgsl"),
    T("SIMD", "simd, avx2, avx512", parts="avx, neon, sve, sve2", words="avx-512, avx512vnni", exact="AVX, NEON, "
      "SVE, SVE2, SSE4, AMX"),
    T("Arm", "arm64, aarch64, kleidiai"),
    T("RISC-V", "riscv", parts="riscv64", words="risc-v"),
    T("Slurm", "slurm, sbatch"),
    *called("cuDNN, NVRTC, NVTX, RCCL, NVSHMEM, Gloo, MTIA, Vulkan, OpenGL, OpenMP, TorchX"),
    # --- Rust
    T("Cargo", paths="Cargo.toml", words="cargo, crates.io"),
    T("PyO3", "pyo3, maturin"),
    T("Serde", words="serde, serde_json"),
    T("Clippy", words="clippy"),
    *called("Tokio, bindgen, Axum"),
    # --- C and C++
    T("CMake", paths="CMakeLists.txt *.cmake CMakePresets.json", words="cmake"),
    T("Make", paths="Makefile GNUmakefile *.mk", words="makefile, makefiles"),
    T("Bazel", "bazel", paths="BUILD.bazel WORKSPACE MODULE.bazel .bazelrc WORKSPACE.bazel"),
    T("Buck", paths="BUCK TARGETS .buckconfig BUCK.v2", words="buck2"),
    T("Meson", paths="meson.build meson_options.txt", exact="Meson"),
    T("Ninja", words="ninja build, build.ninja"),
    T("vcpkg", paths="vcpkg.json", words="vcpkg"),
    T("pybind11", "pybind, pybind11"),
    T("GoogleTest", "gtest, gmock, googletest"),
    T("Qt", paths="*.ui *.qml"),
    T("LLVM", "llvm", paths="*.ll"),
    T("MLIR", "mlir", paths="*.mlir"),
    T("clang-tidy", paths=".clang-tidy", words="clang-tidy, clangtidy"),
    T("clang-format", paths=".clang-format", words="clang-format"),
    T("Sanitizers", "asan, tsan, ubsan", parts="msan", words="addresssanitizer, threadsanitizer, memorysanitizer, "
      "address sanitizer, thread sanitizer, compute-sanitizer"),
    T("Valgrind", words="valgrind"),
    T("io_uring", words="io_uring, liburing, iouring"),
    T("eBPF", "ebpf", parts="bpf", words="bpftrace"),
    T("WebAssembly", "wasm, webassembly", paths="*.wat", words="wasm-bindgen, emscripten"),
    *called("nanobind, Folly, jemalloc"),
    # --- Python
    T("Python packaging", paths="pyproject.toml setup.py setup.cfg MANIFEST.in", words="pypi, setuptools, python "
      "wheel, python wheels, pyproject.toml, setup.py, manylinux, pip install"),
    T("Poetry", paths="poetry.lock poetry.toml", exact="Poetry"),
    T("uv", paths="uv.lock uv.toml", words="uv.lock, uv pip, uv sync"),
    T("Conda", paths="recipe/meta.yaml environment.yml conda/", words="conda, miniconda, conda-forge, anaconda"),
    T("pytest", "pytest", paths="conftest.py pytest.ini"),
    T("mypy", paths="mypy.ini .mypy.ini", words="mypy"),
    T("Pyre", paths=".pyre_configuration", words="pyre, pyrefly"),
    T("Pyright", paths="pyrightconfig.json", words="pyright, basedpyright"),
    T("Ruff", paths="ruff.toml .ruff.toml"),
    T("Flake8", paths=".flake8", words="flake8"),
    T("usort and ufmt", words="usort, ufmt, pyfmt"),
    T("Sphinx", "sphinx", words="readthedocs"),
    T("MkDocs", paths="mkdocs.yml", words="mkdocs"),
    T("Flask", words="flask app, flask-restful, flask_sqlalchemy"),
    T("Django", "django", paths="manage.py"),
    T("SQLAlchemy", "sqlalchemy, alembic", paths="alembic.ini"),
    T("Jinja", paths="*.j2 *.jinja *.jinja2", words="jinja, jinja2"),
    T("tox", paths="tox.ini"),
    T("pre-commit", paths=".pre-commit-config.yaml", words="pre-commit"),
    T("dbt", paths="dbt_project.yml", exact="dbt"),
    *called("asyncio, Pydantic, FastAPI, Airflow"),
    # --- data processing
    T("Spark", "pyspark", words="apache spark, sparksql, spark sql"),
    T("Presto", "prestissimo", parts="presto", words="prestodb", exact="Presto"),
    T("Apache Arrow", "pyarrow", paths="arrow/", words="apache arrow, arrow-rs, arrow flight"),
    T("Parquet", "parquet", paths="*.parquet"),
    *called("Kafka, Trino, DataFusion, Databricks"),
    # --- databases and search
    T("PostgreSQL", "postgres, postgresql, psycopg, psycopg2", words="pgvector"),
    T("SQLite", "sqlite, sqlite3"),
    T("SQL Server", "mssql", parts="sqlserver", words="sql server"),
    T("Memcached", "memcached", words="memcache"),
    T("MongoDB", "mongodb", parts="mongo"),
    T("Snowflake", parts="snowflake", words="snowpark"),
    *called(
        "MySQL, MariaDB, Redis, DynamoDB, Elasticsearch, OpenSearch, ClickHouse, BigQuery, CockroachDB, Neo4j, "
        "RocksDB, LevelDB, LMDB, etcd, InfluxDB, TimescaleDB, DuckDB, FAISS, Milvus, Supabase"
    ),
    # --- containers, cloud, operations
    T("Docker", "docker", paths="Dockerfile Dockerfile.* *.dockerfile docker-compose* compose.yaml compose.yml "
      ".dockerignore Containerfile docker-bake.hcl", words="dockerfile, dockerfiles, docker-compose, dockerize"),
    T("Kubernetes", "k8s, kubernetes, kubectl", paths="kustomization.yaml kustomization.yml k8s/ kubernetes/",
      parts="kube", words="kubelet, kustomize"),
    T("Helm", paths="Chart.yaml", words="helm chart, helm charts, helmfile"),
    T("NGINX", "nginx", paths="nginx.conf"),
    T("Terraform", "terraform", paths="*.tf *.tfvars", words="opentofu"),
    T("Ansible", "ansible", paths="ansible.cfg"),
    T("Consul", words="hashicorp consul"),
    T("AWS", paths="aws/", words="amazon web services, aws lambda, ec2, amazon eks", exact="AWS, EKS, SQS, CloudWatch"),
    T("Amazon S3", "boto3, s3fs", parts="s3", words="amazon s3", exact="S3"),
    T("Google Cloud", "gcp", parts="gcs, gcsfs", words="google cloud", exact="GKE"),
    T("Cloudflare Workers", paths="wrangler.toml wrangler.json wrangler.jsonc", words="cloudflare workers, wrangler"),
    T("Vercel", paths="vercel.json", words="vercel"),
    T("Netlify", paths="netlify.toml", words="netlify"),
    T("Prometheus", "prometheus", words="promql"),
    T("OpenTelemetry", "opentelemetry, otel, otlp"),
    T("systemd", "systemd", paths="*.service"),
    T("Nix", paths="*.nix flake.lock", words="nixpkgs, nixos", exact="Nix"),
    T("Homebrew", paths="Brewfile", words="homebrew"),
    T("Debian packaging", paths="debian/control debian/rules", words="debian package, debian packages"),
    T("GoReleaser", paths=".goreleaser.yml .goreleaser.yaml", words="goreleaser"),
    *called(
        "containerd, Istio, HAProxy, Traefik, CloudFormation, Azure, Grafana, Jaeger, Datadog, StatsD, Perfetto, SNMP"
    ),
    # --- continuous integration and checks of the code
    T("GitHub Actions", paths=".github/workflows/ .github/actions/", words="github actions, github action, gha, "
      "github workflow, github workflows"),
    T("GitLab CI", paths=".gitlab-ci.yml", words="gitlab ci"),
    T("CircleCI", paths=".circleci/", words="circleci, circle ci"),
    T("Jenkins", "jenkins", paths="Jenkinsfile"),
    T("Travis CI", paths=".travis.yml", words="travis ci"),
    T("Azure Pipelines", paths="azure-pipelines.yml", words="azure pipelines"),
    T("Buildkite", paths=".buildkite/", words="buildkite"),
    T("Dependabot", paths=".github/dependabot.yml", words="dependabot"),
    T("Renovate", paths="renovate.json renovate.json5 .renovaterc", words="renovate bot, renovatebot"),
    T("Codecov", paths="codecov.yml .codecov.yml", words="codecov"),
    T("CodeQL", words="codeql"),
    # --- interfaces, formats, protocols
    T("Protocol Buffers", "protobuf", paths="*.proto *.textproto buf.yaml buf.gen.yaml", words="protobufs, protocol "
      "buffers, protoc"),
    T("Thrift", "thrift, fbthrift", paths="*.thrift"),
    T("FlatBuffers", "flatbuffers", paths="*.fbs", words="flatbuffer"),
    T("GraphQL", "graphql", paths="*.graphql *.gql"),
    T("OpenAPI", "openapi, swagger", paths="openapi.yaml openapi.yml openapi.json swagger.json swagger.yaml"),
    T("JSON Schema", paths="*.schema.json", words="json schema, jsonschema"),
    T("MessagePack", "msgpack", words="messagepack"),
    T("WebSocket", "websocket, websockets"),
    T("HTTP/2", "http2", words="http/2"),
    T("QUIC and HTTP/3", "http3", parts="quic", words="http/3", exact="QUIC"),
    T("RabbitMQ", "rabbitmq, amqp"),
    T("NATS", parts="nats, jetstream", exact="NATS"),
    T("TLS", "mtls, openssl, rustls", words="boringssl"),
    T("OAuth", "oauth, oauth2", words="oidc, openid connect"),
    T("JWT", parts="jwt", exact="JWT, JWTs"),
    T("Slack API", parts="slackbot", words="slack api, slack bot, slack app, slack webhook, slack-sdk, slack-bolt"),
    *called("gRPC, WebRTC, MQTT, Modbus, SAML, LDAP, Kerberos"),
    # --- the web
    T("Node.js", words="node.js, nodejs"),
    T("npm", paths="package.json .npmrc", words="npm"),
    T("pnpm", paths="pnpm-workspace.yaml", words="pnpm"),
    T("Yarn", paths=".yarnrc.yml .yarnrc"),
    T("Deno", "deno", paths="deno.json deno.jsonc"),
    T("Bun", paths="bun.lockb bunfig.toml", words="bun.sh"),
    T("React", words="reactjs, react.js, react component, react components, react hook, react hooks, react-dom, "
      "react-router, react refresh"),
    T("Preact", words="preact"),
    T("Next.js", paths="next.config.*", words="next.js, nextjs"),
    T("Vue", paths="*.vue", words="vue.js, vuejs, vue-router, vuex, pinia", exact="Vue"),
    T("Nuxt", paths="nuxt.config.*", words="nuxt, nuxtjs"),
    T("Svelte", paths="*.svelte svelte.config.*", words="svelte, sveltekit"),
    T("Angular", paths="angular.json", words="angularjs"),
    T("Astro", paths="*.astro astro.config.*"),
    T("Vite", paths="vite.config.*", words="vite, vitejs"),
    T("webpack", "webpack", paths="webpack.config.*"),
    T("Rollup", paths="rollup.config.*", words="rollup.js, rollup plugin"),
    T("SWC", paths=".swcrc", exact="SWC"),
    T("Babel", "babel", paths="babel.config.* .babelrc"),
    T("ESLint", paths=".eslintrc .eslintrc.* eslint.config.*", words="eslint"),
    T("Prettier", paths=".prettierrc .prettierrc.* prettier.config.*", words="run prettier, prettier config"),
    T("Jest", paths="jest.config.*", exact="Jest"),
    T("Vitest", paths="vitest.config.*", words="vitest"),
    T("Cypress", paths="cypress.config.*", exact="Cypress"),
    T("Playwright", "playwright", paths="playwright.config.*"),
    T("Tailwind CSS", paths="tailwind.config.*", words="tailwind, tailwindcss"),
    T("Electron", words="electron-builder"),
    T("Lerna", paths="lerna.json", words="lerna"),
    T("Ruby on Rails", words="ruby on rails, activerecord, actioncable"),
    T("Bundler", paths="Gemfile"),
    T("Laravel", paths="artisan", words="laravel"),
    *called("esbuild, Rolldown, Puppeteer, Selenium, Redux, jQuery"),
    # --- the JVM, .NET, mobile, games
    T("Spring", words="spring boot, springboot, spring framework, spring security"),
    T("Maven", paths="pom.xml", words="mvn, apache maven", exact="Maven"),
    T("Gradle", paths="build.gradle build.gradle.kts settings.gradle settings.gradle.kts", words="gradle"),
    T("JUnit", words="junit"),
    T(".NET", paths="*.csproj *.sln *.fsproj global.json", words=".net core, dotnet, asp.net, nuget"),
    T("Android", "android", paths="AndroidManifest.xml"),
    T("iOS", paths="Podfile *.xcconfig", parts="ios", exact="iOS"),
    T("Xcode", paths="*.pbxproj", words="xcode, xcodebuild"),
    T("Swift packages", paths="Package.swift"),
    T("Flutter", paths="pubspec.yaml", parts="flutter", exact="Flutter"),
    T("React Native", words="react native, react-native"),
    T("Godot", paths="project.godot *.tscn", words="godot"),
    T("Go modules", paths="go.mod go.work", words="go.mod, go modules"),
)  # fmt: skip
