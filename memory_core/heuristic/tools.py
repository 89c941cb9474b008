"""Names of tools, the same in every language, as an alternation for regular expressions."""

TOOLS = (
    r"vs ?code|visual studio(?: code)?|neovim|vim|emacs|pycharm|intellij|webstorm|sublime text|"
    r"cursor|zed|windsurf|windows(?: \d+)?|macos|linux|ubuntu|fedora|arch linux|debian|android|ios|"
    r"python(?: \d[\d.]*)?|rust|golang|java|javascript|typescript|kotlin|swift|ruby|php|c\+\+|c#|"
    r"react|vue|svelte|angular|django|flask|fastapi|rails|postgres\w*|mysql|sqlite|mongodb|redis|"
    "docker|podman|kubernetes|aws|azure|gcp|github|gitlab|notion|obsidian|evernote|onenote|logseq|"
    "chrome|firefox|safari|brave|gmail|outlook|slack|microsoft teams|figma|excel|chatgpt|copilot|"
    "spotify|apple music|zsh|bash|tmux|npm|pnpm|yarn|poetry|uv|conda"
)
