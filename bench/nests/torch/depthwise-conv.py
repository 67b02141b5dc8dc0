"""depthwise-conv in PyTorch."""

import torch


def prepare(I, Wt, O):
    conv = torch.nn.functional.conv2d
    image, channels = I.permute(0, 3, 1, 2), I.shape[3]
    weights = Wt.permute(2, 0, 1).unsqueeze(1)
    return lambda: O.permute(0, 3, 1, 2).copy_(
        conv(image, weights, groups=channels))
