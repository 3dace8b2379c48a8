"""Tests of admission policies that are made of programs."""
