"""What `import referee` gives; each part is loaded when it is first asked for."""
