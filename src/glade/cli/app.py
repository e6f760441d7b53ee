"""`glade app`: the way from a table to the page in a browser, on this machine."""

import click


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Listen at this port.  [any that is free]")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
def app(port: int, no_browser: bool) -> None:
    """Open a local app: drop a table, see its check, choose targets, watch the fit, read and save the page.

    It listens on this machine only, and answers only whoever has the address that it prints. Ctrl-C ends it; the table
    and the model that were not saved are gone then.
    """
    import webbrowser

    from glade.app.server import App
    from glade.app.work import AppFolder
    from glade.cli.outputs import tell_lines
    from glade.core.errors import InputError

    with AppFolder() as work:
        try:
            server = App(work, port)
        except OSError as fault:
            raise InputError(f"port {port} cannot be listened at ({fault.strerror}): leave --port out") from fault
        with server:
            tell_lines([f"open {server.address}", "Ctrl-C ends the app"])
            if not no_browser:
                webbrowser.open(server.address)
            server.serve_forever()
