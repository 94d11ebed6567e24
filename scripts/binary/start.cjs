require('app:///addon.cjs').find();
// A module that the loader has loaded may import others.
void import('app:///dist/main.js');
