"""The commands of ``model-queue``, one module per situation a person is in."""
