"""conv2d-nchw in PyTorch."""

import torch


def prepare(I, Wt, O):
    conv = torch.nn.functional.conv2d
    return lambda: O.copy_(conv(I, Wt, stride=2))
