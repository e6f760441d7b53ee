"""The command line: parse, call the library, write files, exit code.

In: arguments. Out: text on standard output, files, an exit code: 0 done, 1 a defect of ours, 2 the user's input, 3 a
model file, 4 a resource (memory, disk, workers), 130 and 143 interrupted, 141 the reader of what
was printed left. Uses every room; nothing uses it. Commands import the library when they run, so that `glade --help`
answers at once."""
