"""Single decisions to practise on."""
