//===- Torch.h - The parts of LibTorch that the model uses ------*- C++ -*-===//
//
// Model room: precompiled for libNestorModel.so; the whole of torch/torch.h
// costs 30 s a file.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_TORCH_H
#define NESTOR_LIB_MODEL_TORCH_H

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adamw.h>
#include <torch/utils.h>
#include <torch/version.h>

#endif // NESTOR_LIB_MODEL_TORCH_H
