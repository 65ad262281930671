;;; swexpr.el --- Audience filters, with their language server  -*- lexical-binding: t -*-

;; Emacs 29 or later. Load this file from your init file:
;;
;;     (load "/path/to/swexpr.el")
;;
;; Filters inside campaign configs: M-x eglot in a buffer of JSON starts this server, in place of the
;; one for JSON.

;;; Code:

(require 'eglot)

(defvar audience-filter-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "\"" table)
    (modify-syntax-entry ?_ "w" table)
    table)
  "Syntax of audience filters: comments with two slashes, strings in either quotes.")

(define-derived-mode audience-filter-mode prog-mode "Filter"
  "Major mode for audience filters."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "//+\\s-*")
  (setq-local font-lock-defaults
              '((("\\_<\\(?:true\\|false\\|null\\)\\_>" . font-lock-constant-face)
                 ("\\_<in\\_>" . font-lock-keyword-face)
                 ("\\(\\_<[A-Za-z_][A-Za-z_0-9]*\\)\\s-*(" 1 font-lock-function-name-face)
                 ("\\_<-?[0-9][0-9.]*\\_>" . font-lock-constant-face)))))

(define-derived-mode cel-mode audience-filter-mode "CEL"
  "Major mode for filters in the Common Expression Language.")

(add-to-list 'auto-mode-alist '("\\.\\(?:filter\\|expr\\)\\'" . audience-filter-mode))
(add-to-list 'auto-mode-alist '("\\.cel\\'" . cel-mode))

(add-to-list 'eglot-server-programs
             '(((audience-filter-mode :language-id "audience-filter")
                (cel-mode :language-id "cel")
                (js-json-mode :language-id "json")
                (json-ts-mode :language-id "json"))
               . ("swexpr" "lsp")))

(add-hook 'audience-filter-mode-hook #'eglot-ensure)

(provide 'swexpr)
;;; swexpr.el ends here
