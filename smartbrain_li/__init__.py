"""SmartBrain for LlamaIndex"""
