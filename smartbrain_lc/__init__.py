"""SmartBrain for LangChain"""
