"""layer-norm in PyTorch."""

import torch


def prepare(X, gamma, beta, Y):
    norm = torch.nn.functional.layer_norm
    return lambda: Y.copy_(norm(X, gamma.shape, gamma, beta, 1e-5))
