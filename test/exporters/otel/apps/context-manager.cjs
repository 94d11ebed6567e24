// The smallest context manager an app can bring itself.
const { AsyncLocalStorage } = require('node:async_hooks');

exports.manager = (api) =>
  class {
    storage = new AsyncLocalStorage();
    active = () => this.storage.getStore() ?? api.ROOT_CONTEXT;
    with = (context, fn, self, ...args) => this.storage.run(context, () => fn.apply(self, args));
    bind = (context, target) => target;
    enable = () => this;
    disable = () => this;
  };
