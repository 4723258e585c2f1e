"""`python -m kgqa`: the command line."""

from kgqa.cli import main

if __name__ == "__main__":
    main()
