-- Neovim 0.11 or later. Copy this file to ~/.config/nvim/lsp/swexpr.lua, and add to init.lua:
--
--     vim.filetype.add({ extension = { filter = "audience_filter", expr = "audience_filter", cel = "cel" } })
--     vim.lsp.enable("swexpr")

local languages = { audience_filter = "audience-filter" }

return {
  cmd = { "swexpr", "lsp" },
  filetypes = { "audience_filter", "cel", "json", "jsonc" },
  root_markers = { "schema.json", ".git" },
  get_language_id = function(_, filetype)
    return languages[filetype] or filetype
  end,
  on_attach = function(client, buffer)
    if client:supports_method("textDocument/inlayHint") then
      vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    end
  end,
}
