"""`python -m glade`: the command line."""

from glade.cli.main import main

if __name__ == "__main__":
    main()
