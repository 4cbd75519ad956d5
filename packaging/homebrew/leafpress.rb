# `packaging/checksums` fills in what stands between at signs.
class Leafpress < Formula
  desc "Exports coding-agent sessions as one standalone HTML page"
  homepage "@ADDRESS@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@ADDRESS@/leafpress-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "@ADDRESS@/leafpress-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@ADDRESS@/leafpress-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@ADDRESS@/leafpress-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "leafpress"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/leafpress"
    zsh_completion.install "share/zsh/vendor-completions/_leafpress"
    fish_completion.install "share/fish/vendor_completions.d/leafpress.fish"
  end

  test do
    system bin/"leafpress", "demo"
    assert_path_exists testpath/"demo.html"
  end
end
