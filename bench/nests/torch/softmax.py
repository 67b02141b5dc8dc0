"""softmax in PyTorch."""

import torch


def prepare(X, Y):
    return lambda: torch.softmax(X, 1, out=Y)
