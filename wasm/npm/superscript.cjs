// The functions of superscript.js for CommonJS, which cannot import an ES module at once.

const module_ = import("./superscript.js");
const names = ["initialize", "evaluateWithContext", "evaluateAstWithContext", "evaluateAst", "parseToAst"];
for (const name of names) {
  exports[name] = async (...args) => (await module_)[name](...args);
}
exports.default = exports;
